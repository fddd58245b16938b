import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts';

/** How often, how long and how much. */
export interface EnrichmentBounds {
  /** Failed look-ups of one VIN at one source, after which the source is given up for it. */
  attempts: number;
  /** The longest wait before the second look-up; doubled for each further one up to `mostBackoffMs`. */
  backoffMs: number;
  mostBackoffMs: number;
  /** How long after a look-up's own time limit a lease ends. Covers clocks that differ, too. */
  leaseMarginMs: number;
  /** How long clients wait for a VIN at most. */
  deadlineMs: number;
  /** How often an instance looks for work that another one left. */
  pollMs: number;
  /** VINs that may wait at once. */
  jobs: number;
  /** Failures in a row after which a source is left alone, for `restMs`, doubled with each further one. */
  failuresInRow: number;
  restMs: number;
  mostRestMs: number;
  /** How long results are good for: for a vehicle found, one that no source knows, one without an answer in time. */
  foundForMs: number;
  nothingForMs: number;
  unansweredForMs: number;
  /** How long look-ups are kept for the administration pages. */
  lookupsForMs: number;
}

/** The bounds of a real service. */
export const DEFAULT_BOUNDS: EnrichmentBounds = {
  attempts: 5,
  backoffMs: 2 * SECOND_MS,
  mostBackoffMs: MINUTE_MS,
  leaseMarginMs: 15 * SECOND_MS,
  deadlineMs: 10 * MINUTE_MS,
  pollMs: 5 * SECOND_MS,
  jobs: 10_000,
  failuresInRow: 5,
  restMs: 15 * SECOND_MS,
  mostRestMs: 10 * MINUTE_MS,
  foundForMs: 180 * DAY_MS,
  nothingForMs: 7 * DAY_MS,
  unansweredForMs: HOUR_MS,
  lookupsForMs: 7 * DAY_MS,
};
