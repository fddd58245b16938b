/** The time in epoch milliseconds. Injected everywhere, so that a test can move to the next month. */
export type Clock = () => number;

/** The machine's clock. */
export const systemClock: Clock = () => Date.now();

/** Spans of time in milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns a day of UTC as "2026-12-01". `ms`: any moment of it. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
