import { LRUCache } from 'lru-cache';

import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';

/** The limit at which connections of a network may be cut. */
const LIMIT = { burst: 500, refillMs: 100 };

/** Milliseconds for which a network beyond it gets few further ones. */
const BARRED_MS = 10_000;

/** Networks that are barred at once. */
const MOST_NETWORKS = 10_000;

/**
 * Notes the networks whose connections are cut because they hold too much. One that opens them anew at once makes more
 * garbage than it held: it gets few further ones for a while.
 */
export class CutNetworks {
  readonly #allowance = new TokenBuckets(LIMIT);
  readonly #barredUntilMs = new LRUCache<string, number>({ maxSize: MOST_NETWORKS, sizeCalculation: () => 1 });

  /** Notes that a connection was cut. */
  note(network: string): void {
    const client = wideNetworkOf(network);
    const nowMs = performance.now();
    if (this.#allowance.take(client, nowMs) > 0) this.#barredUntilMs.set(client, nowMs + BARRED_MS);
  }

  /** Returns true if a network gets few further connections for now. */
  isBarred(network: string): boolean {
    return (this.#barredUntilMs.get(wideNetworkOf(network)) ?? 0) > performance.now();
  }
}
