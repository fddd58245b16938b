import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** Attempts, timeouts and limits of the running service. */
export const DEFAULT_BOUNDS = {
  /** Failed look-ups of one VIN at one source, after which the source is given up for it. */
  attempts: 5,
  /** The longest wait before the second look-up; doubled for each further one up to `mostBackoffMs`. */
  backoffMs: 2 * SECOND_MS,
  mostBackoffMs: MINUTE_MS,
  /** How long after a look-up's own time limit a lease ends. Covers clocks that differ, too. */
  leaseMarginMs: 15 * SECOND_MS,
  /** How long clients wait for a VIN at most. */
  deadlineMs: 10 * MINUTE_MS,
  /** How often an instance polls for work that another one left. */
  pollMs: 5 * SECOND_MS,
  /** VINs that may wait at once. */
  jobs: 10_000,
  /** Consecutive failures after which a source is paused, for `restMs`, doubled with each further one. */
  failuresInRow: 5,
  restMs: 15 * SECOND_MS,
  mostRestMs: 10 * MINUTE_MS,
  /** How long results are good for: for a vehicle found, one that no source knows, one without an answer in time. */
  foundForMs: 180 * DAY_MS,
  nothingForMs: 7 * DAY_MS,
  unansweredForMs: HOUR_MS,
  /** How long look-ups are kept for the administration pages. */
  lookupsForMs: 7 * DAY_MS,
};

/** Bounds of enrichment: tests set their own. */
export type EnrichmentBounds = Readonly<typeof DEFAULT_BOUNDS>;
