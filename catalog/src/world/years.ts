import { FIRST_CODED_YEAR, YEAR_CODES, YEAR_CYCLE } from '@marque/decoder';

/**
 * Returns the years that a year character may mean, oldest first: the code repeats every 30 years.
 *
 * @param latest the last year that can have been coded: the next model year
 */
export function yearsOf(character: string, latest: number): number[] {
  const index = YEAR_CODES.indexOf(character);
  if (index < 0) return [];
  const first = FIRST_CODED_YEAR + index;
  return [first, first + YEAR_CYCLE].filter((year) => year <= latest);
}

/** First and last year; null is open. */
export type Window = readonly [number | null, number | null];

/**
 * Returns the relation of a window to a year: 2 inside, 1 in the year after it, 0 outside. A model year starts the year
 * before: cars built in the last months of a window of production belong to the year after it, none to the year before
 * it.
 */
export function yearFit([from, to]: Window, year: number): 0 | 1 | 2 {
  if ((from === null || year >= from) && (to === null || year <= to)) return 2;
  return to !== null && year === to + 1 ? 1 : 0;
}

/** Returns true if two windows have a year in common. */
export function overlap(a: Window, b: Window): boolean {
  return (a[0] ?? -Infinity) <= (b[1] ?? Infinity) && (b[0] ?? -Infinity) <= (a[1] ?? Infinity);
}

/** Returns the common part of two windows, or undefined. */
export function intersection(a: Window, b: Window): Window | undefined {
  if (!overlap(a, b)) return undefined;
  const from = a[0] === null ? b[0] : b[0] === null ? a[0] : Math.max(a[0], b[0]);
  const to = a[1] === null ? b[1] : b[1] === null ? a[1] : Math.min(a[1], b[1]);
  return [from, to];
}
