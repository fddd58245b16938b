import { LRUCache } from 'lru-cache';

/** Tenants whose use is remembered. The one that was served the longest ago is forgotten first. */
const MOST_TENANTS = 10_000;

/** A tenant's use, and when it was served last or, if it never was, asked first, as numbers that only rise. */
interface Use {
  used: number;
  servedAt: number;
  askedAt: number;
}

/**
 * Orders tenants by what they have used, the least first (start-time fair queuing). A tenant that was away comes back
 * level with those that were served meanwhile: it is not owed what it did not use. Of those that were never served, the
 * one that asked first goes first, also if it was refused meanwhile: however many come later, each gets its turn.
 */
export class FairOrder {
  /** Bounded by size: with `max` it would take the memory for all of them at once, 0.2 MB a queue. */
  readonly #uses = new LRUCache<string, Use>({ maxSize: MOST_TENANTS, sizeCalculation: () => 1 });
  /** Apart from the uses, which strangers that ask once would push out. */
  readonly #asked = new LRUCache<string, number>({ maxSize: MOST_TENANTS, sizeCalculation: () => 1 });
  /** The use of the tenant that was served last, at that moment. */
  #level = 0;
  #turns = 0;

  /** Notes that a tenant asks to be served: one that never was keeps its place. */
  ask(tenant: string): void {
    if (this.#asked.get(tenant) === undefined && !this.#uses.has(tenant)) this.#asked.set(tenant, (this.#turns += 1));
  }

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
    this.#asked.delete(tenant);
    this.#uses.set(tenant, { used: this.#level, servedAt: (this.#turns += 1), askedAt: 0 });
  }

  /** Adds to what a tenant has used, in any unit that is the same for all. */
  add(tenant: string, amount: number): void {
    const use = this.#useOf(tenant);
    this.#uses.set(tenant, { ...use, used: use.used + amount });
  }

  #useOf(tenant: string): Use {
    const known = this.#uses.peek(tenant);
    const { used, servedAt, askedAt } = known ?? {
      used: 0,
      servedAt: 0,
      askedAt: this.#asked.peek(tenant) ?? this.#turns + 1,
    };
    return { used: Math.max(used, this.#level), servedAt, askedAt };
  }
}

function compare(one: Use, other: Use): number {
  return one.used - other.used || one.servedAt - other.servedAt || one.askedAt - other.askedAt;
}
