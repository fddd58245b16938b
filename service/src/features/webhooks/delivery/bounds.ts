/** How much at once, how often and how long. */
export interface DeliveryBounds {
  /** Endpoints that one instance delivers to at once. At most half of them are such as failed last time. */
  endpoints: number;
  /** Deliveries to one endpoint at once, over all instances; to one that failed last time: one. */
  perEndpoint: number;
  /** A receiver that has not answered by then has failed. */
  timeoutMs: number;
  /** How long after that an endpoint's lease ends. Covers clocks that differ, too. */
  leaseMarginMs: number;
  /** How often an instance looks for what is due. */
  pollMs: number;
}

/** The bounds of a real service. */
export const DEFAULT_BOUNDS: DeliveryBounds = {
  endpoints: 16,
  perEndpoint: 8,
  timeoutMs: 15_000,
  leaseMarginMs: 15_000,
  pollMs: 1_000,
};
