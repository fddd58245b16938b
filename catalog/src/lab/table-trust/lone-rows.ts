import type { PositionSet } from '@marque/decoder';

import { compareField, type Verdict } from '../../labels/compare.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import type { TableRow } from '../../world/columns.ts';
import { positionsOf } from '../../world/holds.ts';
import { interpret } from '../../world/interpret.ts';
import type { WorldFacts } from '../../world/load.ts';
import type { VinLayout, WorldRow } from '../../world/model.ts';
import { overlap } from '../../world/years.ts';

/** Positions 4 to 8, which describe the vehicle, from 0. */
const DESCRIPTION = [3, 4, 5, 6, 7] as const;

/** The notes of rows that one labeled car supports. */
const ONE_CAR = /^(?:a|one|1) label+ed (?:car|VIN)\b/;

/** A row with a model that little supports, although its code and that of another model differ in one character. */
export interface LoneRow {
  row: WorldRow;
  /** The reason that the row counts as lone. */
  reason: 'one labeled car' | 'one source, and fewer positions than usual';
  /** Models of the make whose codes differ from the row's in one character. */
  others: string[];
}

/** A labeled car whose model changes without the lone rows of a source. */
export interface LeftOut {
  source: string;
  vin: string;
  label: string;
  before: string;
  after: string;
  change: `${Verdict} > ${Verdict}`;
}

/** Finds the lone rows of all layouts. */
export function loneRows({ layouts, tables }: Pick<WorldFacts, 'layouts' | 'tables'>): LoneRow[] {
  const written = new Map([...tables.values()].flat().map(({ origin, row }) => [origin, row]));
  const found = layouts.flatMap((layout) => {
    const named = layout.rows.filter(({ outputs }) => outputs.model !== undefined);
    const usual = median(named.map((row) => described(positionsOf(row.pattern))));
    return named.flatMap((row): LoneRow[] => {
      const reason = reasonOf(row, written.get(row.origin), usual);
      const others = reason === undefined ? [] : modelsBeside(row, named);
      return reason === undefined || others.length === 0 ? [] : [{ row, reason, others }];
    });
  });
  return [...new Map(found.map((lone) => [lone.row.origin, lone])).values()];
}

function reasonOf(row: WorldRow, written: TableRow | undefined, usual: number): LoneRow['reason'] | undefined {
  if (written === undefined) return undefined;
  const isOfOneCar = written.groups === undefined ? ONE_CAR.test(written.agreed ?? '') : written.groups <= 1;
  if (isOfOneCar) return 'one labeled car';
  const sources = row.source.split('+').filter((key) => key !== 'G');
  const isShort = described(positionsOf(row.pattern)) < usual;
  const isAgreed = written.confidence === 'A' || written.agreed !== undefined || written.groups !== undefined;
  return sources.length <= 1 && isShort && !isAgreed ? 'one source, and fewer positions than usual' : undefined;
}

function described(positions: readonly PositionSet[]): number {
  return DESCRIPTION.filter((at) => positions[at] !== undefined).length;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Returns the models of rows of the same years whose codes differ from a row's at one position only. */
function modelsBeside(row: WorldRow, rows: readonly WorldRow[]): string[] {
  const own = positionsOf(row.pattern);
  const beside = rows.filter(
    (other) =>
      other.outputs.model !== row.outputs.model &&
      overlap(other.years, row.years) &&
      differsAtOne(own, positionsOf(other.pattern)),
  );
  return [...new Set(beside.map(({ outputs }) => outputs.model ?? ''))];
}

function differsAtOne(own: readonly PositionSet[], other: readonly PositionSet[]): boolean {
  let differences = 0;
  for (const [at, set] of own.entries()) {
    const against = other[at];
    if (set === undefined || against === undefined) continue;
    if ([...set].some((character) => against.includes(character))) continue;
    if (++differences > 1 || !DESCRIPTION.includes(at as (typeof DESCRIPTION)[number])) return false;
  }
  return differences === 1;
}

/**
 * Decodes each labeled car without the lone rows of each source that gave its model; returns those whose model changes.
 */
export function leaveOneSourceOut(
  layouts: readonly VinLayout[],
  lone: readonly LoneRow[],
  cars: readonly LabeledVin[],
): LeftOut[] {
  const sources = new Map(lone.map(({ row }) => [row.origin, row.source]));
  const byWmi = Map.groupBy(
    layouts.flatMap((layout) => layout.wmis.map((wmi) => ({ wmi: wmi.slice(0, 3), layout }))),
    ({ wmi }) => wmi,
  );
  return cars.flatMap((car) => {
    const own = [...new Set(byWmi.get(car.vin.slice(0, 3))?.map(({ layout }) => layout))];
    const reading = interpret(own, car.vin);
    const { model } = reading?.outputs ?? {};
    if (reading === undefined || model === undefined || car.expected.model === undefined) return [];
    const used = reading.rows.filter((row) => row.outputs.model === model && sources.has(row.origin));
    return [...new Set(used.map(({ source }) => source))].flatMap((source): LeftOut[] => {
      const without = own.map((layout) => withoutRows(layout, (row) => sources.get(row.origin) === source));
      const after = interpret(without, car.vin)?.outputs.model;
      if (after === model) return [];
      const change = `${verdictOn(car, model)} > ${verdictOn(car, after)}` as const;
      return [{ source, vin: car.vin, label: car.expected.model ?? '', before: model, after: after ?? '', change }];
    });
  });
}

function withoutRows(layout: VinLayout, isLeftOut: (row: WorldRow) => boolean): VinLayout {
  return { ...layout, rows: layout.rows.filter((row) => !isLeftOut(row)) };
}

function verdictOn(car: LabeledVin, model: string | undefined): Verdict {
  return compareField('model', car, model === undefined ? {} : { model });
}
