import type { LearnedField } from './fields.ts';
import type { Observation } from './observe.ts';
import type { ValueCounts } from './tally.ts';

/** A set of positions that a code may have, from 0; `wmi` where the WMI is part of it. */
export interface PositionChoice {
  positions: readonly number[];
  wmi: boolean;
}

/** The groups that share a code. */
export interface Cell {
  /** The value of its first group, and the number of all of them. */
  value: string;
  groups: number;
  /** The number of groups with each value; undefined if all have the same, as in most of a million cells. */
  counts: ValueCounts | undefined;
  lastGroup: number;
}

/** Observations by the characters at a choice of positions. */
export interface Cells {
  cells: Cell[];
  /** The number of each observation's cell. */
  cellOf: Int32Array;
}

/**
 * Positions that may contain a maker's code: 4-9 and the plant at 11. The year at 10 and the serial number identify no
 * type.
 */
const CODE_POSITIONS = [3, 4, 5, 6, 7, 8, 10] as const;
/** Beyond three positions only neighbors are tried: a code that needs more is a single car. */
const FREE_POSITIONS = 3;
const RADIX = 36;

/**
 * The numbers of cells, from 1, by keys of up to three positions of a few WMIs: a map takes several times as long. All
 * 0 between calls.
 */
const NUMBERS = new Int32Array(8 * RADIX ** FREE_POSITIONS);

/** Every choice of positions, shortest first. */
const POSITION_CHOICES: readonly PositionChoice[] = choices();

/** The make is in the WMI or beside it. */
const MAKE_LENGTH = 3;

/** Returns the choices that can part these observations: a single WMI parts nothing. */
export function choicesFor(field: LearnedField, observations: readonly Observation[]): readonly PositionChoice[] {
  const wmi = observations[0]?.vin.slice(0, 3) ?? '';
  const several = observations.some(({ vin }) => !vin.startsWith(wmi));
  return POSITION_CHOICES.filter(
    (choice) =>
      (several || !choice.wmi || choice.positions.length === 0) &&
      (field !== 'make' || lengthOf(choice) <= MAKE_LENGTH),
  );
}

/** Returns the length of a choice: the WMI counts as one, for a layout's WMIs are few. */
export function lengthOf({ positions, wmi }: PositionChoice): number {
  return positions.length + (wmi ? 1 : 0);
}

function choices(): PositionChoice[] {
  const found: PositionChoice[] = [];
  for (let mask = 0; mask < 1 << CODE_POSITIONS.length; mask++) {
    const positions = CODE_POSITIONS.filter((_, bit) => (mask & (1 << bit)) !== 0);
    const first = positions[0] ?? 0;
    const neighbors = positions.every((position, index) => position === first + index);
    if (positions.length > FREE_POSITIONS && !neighbors) continue;
    if (positions.length > 0) found.push({ positions, wmi: false });
    found.push({ positions, wmi: true });
  }
  return found.toSorted((a, b) => lengthOf(a) - lengthOf(b) || a.positions.length - b.positions.length);
}

/** Observations labeled with the field, in the order of their groups, by the characters at these positions. */
export function cellsOf(observations: readonly Observation[], field: LearnedField, choice: PositionChoice): Cells {
  const beyond = new Map<number, number>();
  const keys: number[] = [];
  const cells: Cell[] = [];
  const cellOf = new Int32Array(observations.length);
  let index = 0;
  for (const observation of observations) {
    const { group } = observation;
    const value = observation.reading[field] ?? '';
    const key = keyOf(observation, choice);
    const isShort = key < NUMBERS.length;
    let number = isShort ? (NUMBERS[key] as number) - 1 : (beyond.get(key) ?? -1);
    if (number < 0) {
      number = cells.length;
      if (isShort) keys.push(key);
      else beyond.set(key, number);
      if (isShort) NUMBERS[key] = number + 1;
      cells.push({ value, groups: 0, counts: undefined, lastGroup: -1 });
    }
    cellOf[index++] = number;
    const cell = cells[number] as Cell;
    // Each group counts once in a cell.
    if (cell.lastGroup === group) continue;
    cell.lastGroup = group;
    count(cell, value);
  }
  for (const key of keys) NUMBERS[key] = 0;
  return { cells, cellOf };
}

function count(cell: Cell, value: string): void {
  if (cell.counts === undefined && value !== cell.value) cell.counts = new Map([[cell.value, cell.groups]]);
  cell.groups++;
  cell.counts?.set(value, (cell.counts.get(value) ?? 0) + 1);
}

function keyOf({ digits, wmi }: Observation, choice: PositionChoice): number {
  let key = choice.wmi ? wmi : 0;
  for (const at of choice.positions) key = key * RADIX + (digits[at] as number);
  return key;
}
