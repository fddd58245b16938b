/** Bounds of admission. See docs/decisions/overload.md. */
export const BOUNDS = {
  /** Milliseconds of each turn of the event loop in which requests are served on arrival; later ones are pending. */
  turnMs: 5,
  /** Milliseconds of a turn for health checks, if more of them arrive than one turn can serve. */
  firstMs: 1,
  /** Connections accepted for each request served, while more are waiting. Node accepts one per turn. */
  connections: 8,
  /** Requests that may be in progress: as many as fit in two transactions. More would only wait for a third. */
  inProgress: 1_000,
  /**
   * Requests of these without a paid plan: some wait for turns or places of their own for many seconds, and keep paid ones
   * out if they have all.
   */
  ofOthers: 750,
  /** Requests that may be pending. Each takes a few kilobytes. */
  pending: 10_000,
  /** The longest time for which a request may be pending. Clients that retry at once are slowed down by it. */
  pendingMs: 2_000,
  /**
   * Up to this many requests may be pending for longer: the service is then slow, as when it starts, not overloaded.
   */
  few: 250,
  /** The longest time for which these may be pending. */
  fewPendingMs: 8_000,
};

/** Bounds of admission. Tests set their own. */
export type AdmissionBounds = Readonly<typeof BOUNDS>;
