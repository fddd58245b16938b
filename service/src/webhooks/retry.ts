import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** Pauses before the second attempt and those after it, as Standard Webhooks suggests: two days in all. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
];

/** Jitter: a pause is up to this share longer, so that attempts that failed together are not retried together. */
const JITTER = 0.1;

/** The longest Retry-After that is honored; a longer one is taken for a mistake. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** An endpoint is disabled after failing for this long and this many batches. */
const DEAD_AFTER_MS = 48 * HOUR_MS;
const DEAD_AFTER_FAILURES = 5;

const MIN_REST_MS = 5 * SECOND_MS;
export const MAX_REST_MS = 10 * MINUTE_MS;

/**
 * Returns the time of the next attempt; undefined: none follows.
 *
 * @param attempts how many failed.
 * @param random at least 0, below 1.
 */
export function nextAttemptMs(attempts: number, nowMs: number, random: number, retryAfterMs = 0): number | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? undefined : Math.ceil(nowMs + Math.max(pauseMs * (1 + JITTER * random), retryAfterMs));
}

/** An endpoint's health. */
interface Health {
  /** Failed batches (attempts made together) since anything was delivered. */
  failures: number;
  /** When the first of them was; null: there is none. */
  failingSinceMs: number | null;
}

/** Returns an endpoint's health after a batch of attempts. */
export function healthAfter(before: Health, attempts: { delivered: number; failed: number }, nowMs: number): Health {
  if (attempts.delivered > 0) return { failures: 0, failingSinceMs: null };
  if (attempts.failed === 0) return before;
  return { failures: before.failures + 1, failingSinceMs: before.failingSinceMs ?? nowMs };
}

/** Returns the pause of an endpoint: pending deliveries must not be spent one by one on a receiver that is down. */
export function restMs({ failures }: Health): number {
  return failures === 0 ? 0 : Math.min(MIN_REST_MS * 2 ** (failures - 1), MAX_REST_MS);
}

/** Returns true if the endpoint is gone for good. */
export function isDead({ failures, failingSinceMs }: Health, nowMs: number): boolean {
  return failures >= DEAD_AFTER_FAILURES && failingSinceMs !== null && nowMs - failingSinceMs >= DEAD_AFTER_MS;
}
