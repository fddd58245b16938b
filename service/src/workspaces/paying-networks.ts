import { LRUCache } from 'lru-cache';

/** Networks that are known at once. */
const MOST_NETWORKS = 10_000;

/** Milliseconds until a network that is still used is told anew. */
const TELL_EVERY_MS = 60_000;

/** The networks that paying callers came from, also those that the other processes of a service know. */
export class PayingNetworks {
  /** When each was told last. Bounded by size: with `max` it would take the memory for all of them at once. */
  readonly #toldAtMs = new LRUCache<string, number>({ maxSize: MOST_NETWORKS, sizeCalculation: () => 1 });
  readonly #tell: (network: string) => void;

  /** @param tell tells the other processes that serve together; default: there are none. */
  constructor(tell: (network: string) => void = () => {}) {
    this.#tell = tell;
  }

  /** Returns true if a paying caller came from a network. */
  has(network: string): boolean {
    return this.#toldAtMs.get(network) !== undefined;
  }

  /** Adds a network. */
  add(network: string): void {
    this.#toldAtMs.set(network, performance.now());
  }

  /** Notes a request of a paying caller. */
  note(network: string): void {
    if (performance.now() < (this.#toldAtMs.get(network) ?? -TELL_EVERY_MS) + TELL_EVERY_MS) return;
    this.add(network);
    this.#tell(network);
  }
}
