/**
 * Bounds of the queue of charges; beyond them the outcome is `overloaded`. Meant for two cores: a full queue drains in
 * about a second on either database.
 */
export const DEFAULT_BOUNDS = {
  /** Decodes in one transaction. */
  batch: 500,
  /** Decodes that may wait for one subject. */
  queuedPerSubject: 5_000,
  /** Decodes that may wait in all. */
  queued: 20_000,
  /** The longest wait for a transaction to begin, in milliseconds. */
  waitMs: 5_000,
  /** The longest time for which a transaction is tried again while the database fails, in milliseconds. */
  commitMs: 8_000,
  /**
   * The same once a transaction was given up, until one succeeds: clients of a database that stays away need not wait
   * for it.
   */
  commitAgainMs: 500,
};

/** Bounds of a meter: tests set their own. */
export type MeterBounds = Readonly<typeof DEFAULT_BOUNDS>;
