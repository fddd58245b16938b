import type { EnrichmentBounds } from '../bounds.ts';

/** A source's health, shared by all instances. */
export interface Health {
  /** Failures since the last success. */
  failures: number;
  /** It is paused until then. */
  closedUntilMs: number;
}

type BreakerBounds = Pick<EnrichmentBounds, 'failuresInRow' | 'restMs' | 'mostRestMs'>;

/** Returns the state of a source; `probe`: it failed so often that one look-up must succeed before others follow. */
export function stateOf(health: Health, nowMs: number, bounds: BreakerBounds): 'open' | 'resting' | 'probe' {
  if (health.closedUntilMs > nowMs) return 'resting';
  return health.failures >= bounds.failuresInRow ? 'probe' : 'open';
}

/**
 * Returns a source's health after one more failure.
 * @param retryAfterMs its Retry-After.
 */
export function afterFailure(
  health: Health,
  retryAfterMs: number | undefined,
  nowMs: number,
  bounds: BreakerBounds,
): Health {
  const failures = health.failures + 1;
  const beyond = failures - bounds.failuresInRow;
  const restMs = beyond < 0 ? 0 : Math.min(bounds.restMs * 2 ** beyond, bounds.mostRestMs);
  const restUntilMs = nowMs + Math.max(restMs, retryAfterMs ?? 0);
  return { failures, closedUntilMs: Math.max(health.closedUntilMs, restUntilMs) };
}

/** Returns a source's health after an answer. A wait that it asked for in another look-up still applies. */
export function afterAnswer(health: Health, bounds: BreakerBounds): Health {
  return { failures: 0, closedUntilMs: health.failures >= bounds.failuresInRow ? 0 : health.closedUntilMs };
}
