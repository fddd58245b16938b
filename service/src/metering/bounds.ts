/**
 * How much may wait, and how long; beyond that the outcome is `overloaded`. For two cores: a full queue drains in about a
 * second on either database.
 */
export const DEFAULT_BOUNDS = {
  /** Decodes in one transaction. */
  batch: 500,
  /** Decodes that may wait for one subject. */
  queuedPerSubject: 5_000,
  /** Decodes that may wait in all. */
  queued: 20_000,
  /** How long one may wait for its transaction to begin. */
  waitMs: 5_000,
  /** How long a transaction that fails for want of the database is tried again. */
  commitMs: 8_000,
};

/** Bounds of a meter: tests set their own. */
export type MeterBounds = Readonly<typeof DEFAULT_BOUNDS>;
