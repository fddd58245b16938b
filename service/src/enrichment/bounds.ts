import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** Attempts, timeouts and limits of the running service. */
export const DEFAULT_BOUNDS = {
  /** Failed look-ups of one VIN at one source, after which the source is given up for it. */
  attempts: 5,
  /** The longest wait before the second look-up; doubled for each further one up to `mostBackoffMs`. */
  backoffMs: 2 * SECOND_MS,
  mostBackoffMs: MINUTE_MS,
  /** The time from a look-up's own time limit to the end of its lease. Covers clocks that differ, too. */
  leaseMarginMs: 15 * SECOND_MS,
  /** The longest time that clients wait for a VIN. */
  deadlineMs: 10 * MINUTE_MS,
  /** The interval at which an instance polls for work that another one left. */
  pollMs: 5 * SECOND_MS,
  /** VINs that may wait at once. */
  jobs: 10_000,
  /** Consecutive failures after which a source is paused, for `restMs`, doubled with each further one. */
  failuresInRow: 5,
  restMs: 15 * SECOND_MS,
  mostRestMs: 10 * MINUTE_MS,
  /**
   * The lifetimes of results: for a vehicle found, for one unknown to every source, and for one without an answer in
   * time.
   */
  foundForMs: 180 * DAY_MS,
  nothingForMs: 7 * DAY_MS,
  unansweredForMs: HOUR_MS,
  /** The retention of look-ups for the administration pages. */
  lookupsForMs: 7 * DAY_MS,
};

/** Bounds of enrichment: tests set their own. */
export type EnrichmentBounds = Readonly<typeof DEFAULT_BOUNDS>;
