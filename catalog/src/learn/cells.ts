import type { LearnedField } from './fields.ts';
import type { Observation } from './observe.ts';
import type { ValueCounts } from './tally.ts';

/** A set of positions that a code may stand at, from 0; `wmi` where the WMI is part of it. */
export interface PositionChoice {
  positions: readonly number[];
  wmi: boolean;
}

/** The groups that share a code. */
export interface Cell {
  counts: ValueCounts;
  observations: Observation[];
}

/** Where a maker may put a code: 4-9 and the plant at 11. The year at 10 and the serial number tell no type. */
const CODE_POSITIONS = [3, 4, 5, 6, 7, 8, 10] as const;
/** Beyond three positions only neighbours are tried: what needs more is no code but a single car. */
const FREE_POSITIONS = 3;
const RADIX = 36;

/** Every choice of positions, shortest first. */
const POSITION_CHOICES: readonly PositionChoice[] = choices();

/** The make stands in the WMI or beside it. */
const MAKE_LENGTH = 3;

/** The choices that can part these observations: a single WMI parts nothing. */
export function choicesFor(field: LearnedField, observations: readonly Observation[]): readonly PositionChoice[] {
  const wmi = observations[0]?.vin.slice(0, 3) ?? '';
  const several = observations.some(({ vin }) => !vin.startsWith(wmi));
  return POSITION_CHOICES.filter(
    (choice) =>
      (several || !choice.wmi || choice.positions.length === 0) &&
      (field !== 'make' || lengthOf(choice) <= MAKE_LENGTH),
  );
}

/** How long a choice is: the WMI counts as one, for a layout's WMIs are few. */
export function lengthOf({ positions, wmi }: PositionChoice): number {
  return positions.length + (wmi ? 1 : 0);
}

function choices(): PositionChoice[] {
  const found: PositionChoice[] = [];
  for (let mask = 0; mask < 1 << CODE_POSITIONS.length; mask++) {
    const positions = CODE_POSITIONS.filter((_, bit) => (mask & (1 << bit)) !== 0);
    const first = positions[0] ?? 0;
    const neighbours = positions.every((position, index) => position === first + index);
    if (positions.length > FREE_POSITIONS && !neighbours) continue;
    if (positions.length > 0) found.push({ positions, wmi: false });
    found.push({ positions, wmi: true });
  }
  return found.toSorted((a, b) => lengthOf(a) - lengthOf(b) || a.positions.length - b.positions.length);
}

/** The labelled observations of a field by what stands at these positions; each group counts once in a cell. */
export function cellsOf(
  observations: readonly Observation[],
  field: LearnedField,
  choice: PositionChoice,
): Map<number, Cell> {
  const cells = new Map<number, Cell & { lastGroup: number }>();
  for (const observation of observations) {
    const value = observation.reading[field];
    if (value === undefined) continue;
    const key = keyOf(observation, choice);
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = { counts: new Map(), observations: [], lastGroup: -1 };
      cells.set(key, cell);
    }
    cell.observations.push(observation);
    // Observations stand in the order of their groups.
    if (cell.lastGroup === observation.group) continue;
    cell.lastGroup = observation.group;
    cell.counts.set(value, (cell.counts.get(value) ?? 0) + 1);
  }
  return cells;
}

function keyOf({ digits }: Observation, { positions, wmi }: PositionChoice): number {
  let key = 0;
  if (wmi) for (let at = 0; at < 3; at++) key = key * RADIX + (digits[at] ?? 0);
  for (const at of positions) key = key * RADIX + (digits[at] ?? 0);
  return key;
}
