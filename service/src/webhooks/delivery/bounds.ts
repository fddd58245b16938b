/** Concurrency, attempts and timeouts of the running service. */
export const DEFAULT_BOUNDS = {
  /** Endpoints that one instance delivers to at once. At most half of them are endpoints that failed last time. */
  endpoints: 16,
  /** Deliveries to one endpoint at once, over all instances; to one that failed last time: one. */
  perEndpoint: 8,
  /** A receiver that has not answered by then has failed. */
  timeoutMs: 15_000,
  /** How long after that an endpoint's lease ends. Covers clocks that differ, too. */
  leaseMarginMs: 15_000,
  /** How often an instance polls for due deliveries. */
  pollMs: 1_000,
};

/** Bounds of deliveries: tests set their own. */
export type DeliveryBounds = Readonly<typeof DEFAULT_BOUNDS>;
