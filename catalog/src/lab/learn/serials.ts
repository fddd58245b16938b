import { groupOf } from '../../labels/groups.ts';
import type { LabeledVin } from '../../labels/labeled.ts';

/** A labeled car of a layout whose VINs have no year, so that its serial number may give it. */
export interface SerialCar {
  vin: string;
  /** The model years that the label allows. */
  years: readonly [first: number, last: number];
}

/** Serial numbers that somebody hid: positions 12-15 as zeros. */
const HIDDEN = '0000';
const SERIAL_AT = 11;

/** Returns the car with the years that its label allows; undefined if it has none, or the serial number is hidden. */
export function serialCar(vin: string, { expected, yearBasis }: LabeledVin): SerialCar | undefined {
  const year = Number(expected.modelYear);
  if (!Number.isInteger(year) || vin.startsWith(HIDDEN, SERIAL_AT)) return undefined;
  // The model year starts before the calendar year of the same number.
  return { vin, years: [year, yearBasis === 'model-year' ? year : year + 1] };
}

/** A series of serial numbers: the cars that share a WMI and a code, in the order of their numbers. */
export interface Series {
  /** Position of the code, from 0. */
  positions: readonly number[];
  cars: readonly SerialCar[];
}

/**
 * The positions that may part one series from another: the model at 4-8, the plant at 11 or 10-11, the first of the
 * number.
 */
export const SERIES_POSITIONS: readonly (readonly number[])[] = [
  [],
  [3],
  [3, 4],
  [3, 4, 5],
  [3, 4, 5, 6],
  [3, 4, 5, 6, 7],
]
  .flatMap((model) => [
    [...model, 10],
    [...model, 9, 10],
  ])
  .flatMap((code) => [code, [...code, SERIAL_AT]])
  .toSorted((a, b) => a.length - b.length);

/** Cars in the order of their serial numbers. */
export function inOrder(cars: readonly SerialCar[]): SerialCar[] {
  return cars.toSorted((a, b) => compare(serialOf(a), serialOf(b)) || compare(a.vin, b.vin));
}

/** Returns the series of cars that are in the order of their serial numbers. */
export function seriesOf(cars: readonly SerialCar[], positions: readonly number[]): Series[] {
  const series = Map.groupBy(cars, ({ vin }) => positions.reduce((key, at) => key + vin.charAt(at), vin.slice(0, 3)));
  return [...series.values()].map((own) => ({ positions, cars: own }));
}

/** The number of cars on either side of a place that decide its year. */
const BESIDE = 2;
/** Together they have to be this many: one on one side may be missing, as at the end of a series. */
const FEWEST_BESIDE = 3;
/** A gap is not looked across farther than this many cars of the group that is held out. */
const FARTHEST = 50;

/**
 * Returns the model year between two cars of a series: the cars on either side agree on it, their years rise, and the
 * labels of the next ones allow the same.
 *
 * @param at the place: before the car with this number
 * @param without a group that is left out
 */
export function yearAt({ cars }: Series, at: number, without?: string): number | undefined {
  const below = beside(cars, at - 1, -1, without).toReversed();
  const above = beside(cars, at, 1, without);
  const [next, last] = [above[0]?.years[0], below.at(-1)?.years[1]];
  const all = [...below, ...above];
  if (next === undefined || last === undefined || all.length < FEWEST_BESIDE) return undefined;
  const rises = all.every(({ years }, index) => index === 0 || years[0] >= (all[index - 1]?.years[0] ?? 0));
  // One group alone may be a mistaken label.
  const isOneGroup = all.every(({ vin }) => groupOf(vin) === groupOf(all[0]?.vin ?? ''));
  return rises && !isOneGroup && last >= next ? next : undefined;
}

function beside(cars: readonly SerialCar[], from: number, step: 1 | -1, without: string | undefined): SerialCar[] {
  const found: SerialCar[] = [];
  for (let at = from, seen = 0; found.length < BESIDE && seen < FARTHEST; at += step, seen++) {
    const car = cars[at];
    if (car === undefined) break;
    if (without === undefined || groupOf(car.vin) !== without) found.push(car);
  }
  return found;
}

/** Returns the serial number: positions 12-17. */
export function serialOf({ vin }: SerialCar): string {
  return vin.slice(SERIAL_AT);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
