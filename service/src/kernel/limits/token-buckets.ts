import { LRUCache } from 'lru-cache';

/** A limit of one client: the number of times in a row, and the time until the next. */
export interface BurstLimit {
  /** Times at once. */
  burst: number;
  /** Time after which one more is allowed. */
  refillMs: number;
}

/** Limits how often each client does something. */
export interface RateLimiter {
  /** Takes a token. @returns 0, or, if none is left, the seconds until there is one. */
  take(client: string, nowMs: number): number | Promise<number>;
  /** Returns a token if the work was then refused for another reason. */
  giveBack(client: string): void;
}

/** Opens a limit; among several processes that serve together, those that open it by the same name share it. */
export type OpenRateLimit = (name: string, limit: BurstLimit) => RateLimiter;

/** A limit that this process alone counts. */
export const localRateLimit: OpenRateLimit = (_name, limit) => new TokenBuckets(limit);

/** Returns limits that this process alone counts: opened twice by one name, a limit is the same. */
export function localRateLimits(): OpenRateLimit {
  const opened = new Map<string, RateLimiter>();
  return (name, limit) => {
    const known = opened.get(name) ?? localRateLimit(name, limit);
    opened.set(name, known);
    return known;
  };
}

/** Clients in memory: each takes about a hundred bytes. The least recently seen one is dropped first. */
const MOST_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** A token bucket for each client, in memory: several instances on one database each have their own. */
export class TokenBuckets implements RateLimiter {
  readonly #limit: BurstLimit;
  /** Bounded by size: with `max` it would take the memory for all of them at once. */
  readonly #buckets = new LRUCache<string, Bucket>({ maxSize: MOST_CLIENTS, sizeCalculation: () => 1 });

  constructor(limit: BurstLimit) {
    this.#limit = limit;
  }

  /** Takes a token. @returns 0, or, if none is left, the seconds until there is one. */
  take(client: string, nowMs: number): number {
    const { burst, refillMs } = this.#limit;
    const known = this.#buckets.get(client) ?? { tokens: burst, filledAtMs: nowMs };
    // A clock that is set back fills nothing and takes nothing away.
    const elapsedMs = Math.max(0, nowMs - known.filledAtMs);
    const tokens = Math.min(burst, known.tokens + elapsedMs / refillMs);
    const isGranted = tokens >= 1;
    this.#buckets.set(client, { tokens: isGranted ? tokens - 1 : tokens, filledAtMs: nowMs });
    return isGranted ? 0 : Math.ceil(((1 - tokens) * refillMs) / 1_000);
  }

  giveBack(client: string): void {
    const known = this.#buckets.get(client);
    if (known !== undefined) known.tokens = Math.min(this.#limit.burst, known.tokens + 1);
  }
}
