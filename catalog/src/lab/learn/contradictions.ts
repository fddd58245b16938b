import { type Decoder, parsePattern, type VehicleReport } from '@marque/decoder';

import { interpret } from '../../world/interpret.ts';
import type { WorldOutputs, VinLayout, WorldRow } from '../../world/model.ts';

import { LEARNED_FIELDS, type LearnedField } from './fields.ts';
import { NEW_LAYOUT } from './layouts.ts';
import type { LayoutObservations, Observation } from './observe.ts';
import { majorityOf, type ValueCounts } from './tally.ts';

/** A row that labeled cars contradict. */
export interface Contradiction {
  /** Place of the row: "volkswagen/models.csv:12". */
  row: string;
  field: LearnedField;
  says: string;
  /** The value of most of the groups that it misleads. */
  labels: string;
  /** Labeled cars that it answered wrongly. */
  cars: number;
  /** Independent groups that it answered wrongly, and all that it answered. */
  against: number;
  groups: number;
  /** Advice on correcting it. */
  advice: string;
}

/** Returns the rows that answered labeled cars wrongly. */
export function contradictions(
  observed: readonly LayoutObservations[],
  layouts: readonly VinLayout[],
  decoder: Decoder,
): Contradiction[] {
  const byId = Map.groupBy(layouts, ({ id }) => id);
  const found: Contradiction[] = [];
  for (const { layout, observations } of observed) {
    if (layout.startsWith(NEW_LAYOUT)) continue;
    for (const field of LEARNED_FIELDS) {
      const answered = observations.filter(({ standing }) => standing[field] === 'right');
      for (const [row, wrong] of misled(byId.get(layout) ?? [], observations, field, decoder)) {
        const holds = row.map(({ pattern }) => fixedBy(pattern));
        const right = answered.filter(({ vin }) =>
          holds.some((fixed) => fixed.every(({ at, set }) => set.includes(vin.charAt(at)))),
        );
        found.push(contradiction(row[0]?.origin ?? '', field, right, wrong, decoder));
      }
    }
  }
  return found;
}

/** Sorts contradictions by the number of cars they misled, the most first. */
export function byCars(found: readonly Contradiction[]): Contradiction[] {
  return found.toSorted((a, b) => b.cars - a.cars || (`${a.row} ${a.field}` < `${b.row} ${b.field}` ? -1 : 1));
}

/** Returns the positions that a pattern fixes, and their allowed characters. */
function fixedBy(pattern: string): { at: number; set: string }[] {
  return parsePattern(pattern).flatMap((set, at) => (set === undefined ? [] : [{ at, set }]));
}

/** Reading every row of a layout is slow: of a million cars, those with the most cars are checked. */
const LOOKED_INTO = 300;

/** Returns the rows, each with all of its patterns, that answered observations of a layout wrongly. */
function misled(
  layouts: readonly VinLayout[],
  observations: readonly Observation[],
  field: LearnedField,
  decoder: Decoder,
): Map<readonly WorldRow[], Observation[]> {
  const wrong = observations.filter(({ standing }) => standing[field] === 'wrong');
  const byOrigin = new Map<string, { rows: WorldRow[]; wrong: Observation[] }>();
  for (const observation of wrong.toSorted((a, b) => b.cars - a.cars).slice(0, LOOKED_INTO)) {
    for (const row of deciding(layouts, observation.vin, field, decoder)) {
      const entry = byOrigin.get(row.origin) ?? { rows: [], wrong: [] };
      byOrigin.set(row.origin, entry);
      if (!entry.rows.includes(row)) entry.rows.push(row);
      if (!entry.wrong.includes(observation)) entry.wrong.push(observation);
    }
  }
  return new Map([...byOrigin.values()].map((entry) => [entry.rows, entry.wrong]));
}

const OUTPUT: Readonly<Record<LearnedField, keyof WorldOutputs>> = {
  make: 'make',
  model: 'model',
  generation: 'generation',
  body: 'body',
  fuelType: 'fuelType',
  displacementCc: 'displacementCc',
  powerKw: 'powerKw',
  driveType: 'driveType',
  transmission: 'transmission',
};

/** Returns the rows that gave the answer; none where something else than rows did. */
function deciding(layouts: readonly VinLayout[], vin: string, field: LearnedField, decoder: Decoder): WorldRow[] {
  const reading = interpret(layouts, vin);
  const value = reading?.outputs[OUTPUT[field]];
  if (reading === undefined || value === undefined || String(value) !== answerOf(decoder.decode(vin), field)) return [];
  return reading.rows.filter((row) => row.outputs[OUTPUT[field]] === value);
}

function answerOf(report: VehicleReport, field: LearnedField): string {
  if (field === 'make') return report.manufacturer ?? '';
  if (field === 'model' || field === 'generation') return report[field] ?? '';
  if (field === 'body') return report.bodyStyleNormalized;
  return String(report.specs?.[field] ?? '');
}

function contradiction(
  row: string,
  field: LearnedField,
  right: readonly Observation[],
  wrong: readonly Observation[],
  decoder: Decoder,
): Contradiction {
  const counts: ValueCounts = new Map();
  for (const { reading } of wrong) counts.set(reading[field] ?? '', (counts.get(reading[field] ?? '') ?? 0) + 1);
  const [first] = wrong;
  return {
    row,
    field,
    says: first === undefined ? '' : answerOf(decoder.decode(first.vin), field),
    labels: majorityOf(field, counts)?.value ?? '',
    cars: wrong.reduce((sum, { cars }) => sum + cars, 0),
    against: groupsOf(wrong),
    groups: groupsOf([...right, ...wrong]),
    advice: advise(right, wrong),
  };
}

function groupsOf(observations: readonly Observation[]): number {
  return new Set(observations.map(({ group }) => group)).size;
}

/** Describes the difference between the cars that a row answers rightly and the others. */
function advise(right: readonly Observation[], wrong: readonly Observation[]): string {
  if (groupsOf(wrong) === 1 && right.length > 0) return 'leave: one group against it may be a mistaken label';
  if (right.length === 0) return groupsOf(wrong) === 1 ? 'look: nothing but one group speaks, against it' : 'drop';
  return splitByYear(right, wrong) ?? narrow(right, wrong) ?? (wrong.length > right.length ? 'drop' : 'leave both');
}

function splitByYear(right: readonly Observation[], wrong: readonly Observation[]): string | undefined {
  const [rightFrom, rightTo] = span(right);
  const [wrongFrom, wrongTo] = span(wrong);
  if (rightTo < wrongFrom) return `split by year: it holds to ${rightTo}`;
  return wrongTo < rightFrom ? `split by year: it holds from ${rightFrom}` : undefined;
}

/** Returns the first and last labeled year; nothing is before or after the span of undated ones. */
function span(observations: readonly Observation[]): readonly [number, number] {
  const years = observations.flatMap((one) => one.years ?? []);
  return years.length === 0 ? [-Infinity, Infinity] : [Math.min(...years), Math.max(...years)];
}

const POSITIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11];

function narrow(right: readonly Observation[], wrong: readonly Observation[]): string | undefined {
  for (const position of POSITIONS) {
    const at = (one: Observation): string => one.vin.charAt(position - 1);
    const holds = new Set(right.map(at));
    if (wrong.some((one) => holds.has(at(one)))) continue;
    return `narrow: it holds where position ${position} is ${[...holds].toSorted().join(', ')}`;
  }
  return undefined;
}
