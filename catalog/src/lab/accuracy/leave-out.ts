import { matchesPattern, parsePattern } from '@marque/decoder';

import type { TableRow } from '../../world/columns.ts';
import { originOf } from '../../world/table-trust.ts';
import type { WorldFacts } from '../../world/load.ts';
import type { VinLayout } from '../../world/model.ts';
import { foldOf, FOLDS, groupOf } from '../../labels/groups.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import { type AnyDecoder, decodeOne } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * Returns true if only labeled VINs let the row answer: `agreed` names them, or it has no other source. A row with
 * another confirmation answers without them, whichever was written first.
 */
function restsOnLabels(row: TableRow): boolean {
  return row.agreed === undefined ? originOf(row) === 'labelled' : /label+ed (VIN|car)s?\b/.test(row.agreed);
}

/** Learns from cars the fields that a decoder of these layouts leaves open. */
export type LearnFrom<Opened extends AnyDecoder> = (
  decoder: Opened,
  layouts: readonly VinLayout[],
  cars: readonly LabeledVin[],
) => AnyDecoder;

/**
 * Decodes every VIN with a catalog that knows no VIN of its group: the rows that rest on labeled VINs and match none
 * outside the group's fold are left out, and learning is repeated on the other folds. The rest is the answer of the
 * facts for VINs that no one has looked at.
 *
 * @param sets labeled VINs, set by set; all of them confirm rows
 * @param open makes a decoder of these layouts
 * @param learnFrom puts rows learned from the cars over a decoder of these layouts; without it nothing is learned
 * @param foldOfCar the cars that are held out together; unset: those of one group
 * @returns the decoded VINs of each set, in its order
 */
export function decodeUnseen<Opened extends AnyDecoder>(
  sets: readonly (readonly LabeledVin[])[],
  facts: WorldFacts,
  open: (world: readonly VinLayout[]) => Opened,
  learnFrom: LearnFrom<Opened> = (decoder) => decoder,
  foldOfCar: (car: LabeledVin) => number = ({ vin }) => foldOf(vin),
): Scored[][] {
  const cars = sets.flat();
  const meets = groupsOfRows(facts, new Map(cars.map((car) => [car.vin, foldOfCar(car)])));
  const decoders = Array.from({ length: FOLDS }, (_, fold) => {
    const dropped = new Set([...meets].filter(([, met]) => isUnborne(met, fold)).map(([origin]) => origin));
    const layouts = without(facts.layouts, dropped);
    const others = cars.filter((car) => foldOfCar(car) !== fold);
    return learnFrom(open(layouts), layouts, others);
  });
  return sets.map((labeled) =>
    labeled.flatMap((one) => {
      const decoder = decoders[foldOfCar(one)];
      return decoder === undefined ? [] : [decodeOne(decoder, one)];
    }),
  );
}

/**
 * Decodes every VIN with a catalog whose tables have no row that rests on labeled VINs, and without learning: the
 * answer of the facts for codes of which no one has seen a labeled car.
 *
 * @param open makes a decoder of these layouts
 */
export function decodeUnlabeled(
  sets: readonly (readonly LabeledVin[])[],
  { layouts, tables }: WorldFacts,
  open: (world: readonly VinLayout[]) => AnyDecoder,
): Scored[][] {
  const resting = [...tables.values()].flat().filter(({ row }) => restsOnLabels(row));
  const decoder = open(without(layouts, new Set(resting.map(({ origin }) => origin))));
  return sets.map((labeled) => labeled.map((one) => decodeOne(decoder, one)));
}

function without(layouts: readonly VinLayout[], dropped: ReadonlySet<string>): VinLayout[] {
  return layouts.map((layout) => ({ ...layout, rows: layout.rows.filter(({ origin }) => !dropped.has(origin)) }));
}

/** The labeled groups that a row meets, by fold. */
interface Met {
  /**
   * A learned row needs two, for one group may be a mistake, and so do serial numbers between two cars; what else a
   * person wrote needs one.
   */
  needed: number;
  groups: Map<string, number>;
}

/** Returns true if a row matches labeled VINs, and too few of them outside the fold. */
function isUnborne({ needed, groups }: Met, fold: number): boolean {
  let others = 0;
  for (const own of groups.values()) if (own !== fold) others++;
  return groups.size > 0 && others < needed;
}

/** Returns the groups of labeled VINs that each row resting on them meets, by the row's place. */
function groupsOfRows({ layouts, tables }: WorldFacts, folds: ReadonlyMap<string, number>): Map<string, Met> {
  const meets = new Map<string, Met>();
  const facts = new Map<string, Met>();
  for (const [table, rows] of tables) {
    for (const { origin, row } of rows) {
      if (!restsOnLabels(row)) continue;
      const needed = row.groups === undefined && row.serial_from === undefined ? 1 : 2;
      const fact = serialFact(row);
      const key = fact === undefined ? origin : `${table} ${fact}`;
      const met = facts.get(key) ?? { needed, groups: new Map() };
      facts.set(key, met);
      meets.set(origin, met);
    }
  }
  const byWmi = Map.groupBy(folds.keys(), (vin) => vin.slice(0, 3));
  for (const layout of layouts) {
    const own = [...new Set(layout.wmis.map((wmi) => wmi.slice(0, 3)))].flatMap((wmi) => byWmi.get(wmi) ?? []);
    for (const row of layout.rows) {
      const met = meets.get(row.origin);
      if (met === undefined) continue;
      const pattern = parsePattern(row.pattern);
      for (const vin of own) if (matchesPattern(pattern, vin)) met.groups.set(groupOf(vin), folds.get(vin) ?? 0);
    }
  }
  return meets;
}

/**
 * Returns a key that rows of serial numbers share if they give one model year of one series. A row has only one first
 * digit, so that a year is often two rows; undefined for other rows.
 */
function serialFact({ positions, code, wmi, with_generation, serial_from, model_year }: TableRow): string | undefined {
  if (serial_from === undefined || model_year === undefined || !positions.endsWith(FIRST_DIGIT)) return undefined;
  return [positions, code.slice(0, -1), wmi, with_generation, model_year].join(' ');
}

/** The position of the first digit of a serial number: the last one of a code. */
const FIRST_DIGIT = '12';
