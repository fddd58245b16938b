/** How pauses between attempts grow. */
export interface Backoff {
  /** The longest pause before the second attempt; doubled for each further one. */
  firstMs: number;
  mostMs: number;
}

/**
 * How long to wait before the next attempt: twice as long each time, half of it at random, so that jobs that failed
 * together do not come back together.
 *
 * @param attempts how many failed, at least 1.
 * @param random at least 0, below 1.
 */
export function backoffMs(attempts: number, random: number, { firstMs, mostMs }: Backoff): number {
  const longestMs = Math.min(firstMs * 2 ** (attempts - 1), mostMs);
  return Math.ceil(longestMs * (0.5 + random / 2));
}
