import { LRUCache } from 'lru-cache';

/** Tenants whose use is remembered. The one that was served the longest ago is forgotten first. */
const MOST_TENANTS = 10_000;

/** A tenant's use, and when it was served last, as a number that only rises. */
interface Use {
  used: number;
  servedAt: number;
}

/** The requests of a tenant that was never served: when the first came, as a number that only rises, and how many too soon. */
interface Asked {
  at: number;
  lastMs: number;
  tooSoon: number;
}

/** The facts that decide about a tenant's place. */
type Place = Use & Omit<Asked, 'lastMs'>;

/** Milliseconds within which asking again is too soon. */
const SOON_MS = 8_000;

/**
 * Orders tenants by what they have used, the least first (start-time fair queuing). A tenant that was away comes back
 * level with those that were served meanwhile: it is not owed what it did not use. Of those that were never served, who
 * asks again and again goes last, and of the others the one that asked first goes first, also if it was refused
 * meanwhile: however many come later, each gets its turn.
 */
export class FairOrder {
  /** Bounded by size: with `max` it would take the memory for all of them at once, 0.2 MB a queue. */
  readonly #uses = new LRUCache<string, Use>({ maxSize: MOST_TENANTS, sizeCalculation: () => 1 });
  /** Apart from the uses, which strangers that ask once would push out. */
  readonly #asked = new LRUCache<string, Asked>({ maxSize: MOST_TENANTS, sizeCalculation: () => 1 });
  /** The use of the tenant that was served last, at that moment. */
  #level = 0;
  #turns = 0;

  /** Notes that a tenant asks to be served: one that never was keeps its place. */
  ask(tenant: string, nowMs: number): void {
    if (this.#uses.has(tenant)) return;
    const known = this.#asked.get(tenant) ?? { at: (this.#turns += 1), lastMs: -Infinity, tooSoon: 0 };
    const tooSoon = known.tooSoon + (nowMs - known.lastMs < SOON_MS ? 1 : 0);
    this.#asked.set(tenant, { at: known.at, lastMs: nowMs, tooSoon });
  }

  /**
   * Returns tenants in the order in which they are served: of equal ones the one that was served the longest ago first.
   */
  sorted(tenants: Iterable<string>): string[] {
    const known = [...tenants].map((tenant) => ({ tenant, use: this.#useOf(tenant) }));
    known.sort((a, b) => compare(a.use, b.use));
    return known.map(({ tenant }) => tenant);
  }

  /** Returns the tenant that is served first; undefined: there is none. */
  first(tenants: Iterable<string>): string | undefined {
    let first: { tenant: string; use: Place } | undefined;
    for (const tenant of tenants) {
      const use = this.#useOf(tenant);
      if (first === undefined || compare(use, first.use) < 0) first = { tenant, use };
    }
    return first?.tenant;
  }

  /** Returns the tenant that is served last of those that come after another one; undefined: none does. */
  lastAfter(tenant: string, others: Iterable<string>): string | undefined {
    let [last, use] = [tenant, this.#useOf(tenant)];
    for (const other of others) {
      const of = this.#useOf(other);
      if (compare(of, use) > 0) [last, use] = [other, of];
    }
    return last === tenant ? undefined : last;
  }

  /** Notes that a tenant is served. */
  begin(tenant: string): void {
    this.#level = this.#useOf(tenant).used;
    this.#asked.delete(tenant);
    this.#uses.set(tenant, { used: this.#level, servedAt: (this.#turns += 1) });
  }

  /** Adds to what a tenant has used, in any unit that is the same for all. */
  add(tenant: string, amount: number): void {
    const { used, servedAt } = this.#useOf(tenant);
    this.#uses.set(tenant, { used: used + amount, servedAt });
  }

  #useOf(tenant: string): Place {
    const { used, servedAt } = this.#uses.peek(tenant) ?? { used: 0, servedAt: 0 };
    const { at, tooSoon } = this.#asked.peek(tenant) ?? { at: this.#turns + 1, tooSoon: 0 };
    return { used: Math.max(used, this.#level), servedAt, at, tooSoon };
  }
}

function compare(one: Place, other: Place): number {
  return one.used - other.used || one.servedAt - other.servedAt || one.tooSoon - other.tooSoon || one.at - other.at;
}
