import { LRUCache } from 'lru-cache';

/** Tenants whose use is remembered. The one that was served the longest ago is forgotten first. */
const MOST_TENANTS = 10_000;

/** A tenant's use, and when it was served last, as a number that only rises. */
interface Use {
  used: number;
  servedAt: number;
}

/**
 * Orders tenants by what they have used, the least first (start-time fair queuing). A tenant that was away comes back
 * level with those that were served meanwhile: it is not owed what it did not use.
 */
export class FairOrder {
  /** Bounded by size: with `max` it would take the memory for all of them at once, 0.2 MB a queue. */
  readonly #uses = new LRUCache<string, Use>({ maxSize: MOST_TENANTS, sizeCalculation: () => 1 });
  /** The use of the tenant that was served last, at that moment. */
  #level = 0;
  #served = 0;

  /**
   * Returns tenants in the order in which they are served: of equal ones the one that was served the longest ago first.
   */
  sorted(tenants: Iterable<string>): string[] {
    const known = [...tenants].map((tenant) => ({ tenant, use: this.#useOf(tenant) }));
    known.sort((a, b) => compare(a.use, b.use));
    return known.map(({ tenant }) => tenant);
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
    this.#uses.set(tenant, { used: this.#level, servedAt: (this.#served += 1) });
  }

  /** Adds to what a tenant has used, in any unit that is the same for all. */
  add(tenant: string, amount: number): void {
    const { used, servedAt } = this.#useOf(tenant);
    this.#uses.set(tenant, { used: used + amount, servedAt });
  }

  #useOf(tenant: string): Use {
    const known = this.#uses.peek(tenant);
    return { used: Math.max(known?.used ?? 0, this.#level), servedAt: known?.servedAt ?? 0 };
  }
}

function compare(one: Use, other: Use): number {
  return one.used - other.used || one.servedAt - other.servedAt;
}
