/** Bits of the filter for each hash at least: one hash in sixteen that is not there passes it. */
const BITS_A_HASH = 16;

const SMALLEST_FILTER = 64;

/**
 * Items by a hash, nearly always one each. What is not there is told from a small table of bits, which stays in the
 * processor's cache however many items there are.
 */
export class HashTable<Item extends object> {
  /** An array where several share a hash. */
  readonly #items = new Map<number, Item | readonly Item[]>();
  #bits = new Uint32Array(SMALLEST_FILTER / 32);

  /** Whether there is an item of this hash. */
  has(hash: number): boolean {
    const bits = this.#bits;
    const word = bits[(hash >>> 5) & (bits.length - 1)] ?? 0;
    return ((word >>> (hash & 31)) & 1) === 1 && this.#items.has(hash);
  }

  /** The items of a hash. */
  at(hash: number): readonly Item[] {
    const found = this.#items.get(hash);
    if (found === undefined) return [];
    return isList(found) ? found : [found];
  }

  add(hash: number, item: Item): void {
    const others = this.at(hash);
    this.#items.set(hash, others.length === 0 ? item : [...others, item]);
    if (this.#items.size * BITS_A_HASH > this.#bits.length * 32) this.#grow();
    this.#mark(hash);
  }

  /** Takes out what fits; tells whether anything did. Its bit stays: it only costs the next question a look-up. */
  remove(hash: number, fits: (item: Item) => boolean): boolean {
    const before = this.at(hash);
    const after = before.filter((item) => !fits(item));
    const [only] = after;
    if (only === undefined) this.#items.delete(hash);
    else this.#items.set(hash, after.length === 1 ? only : after);
    return after.length < before.length;
  }

  #grow(): void {
    this.#bits = new Uint32Array(this.#bits.length * 4);
    for (const hash of this.#items.keys()) this.#mark(hash);
  }

  #mark(hash: number): void {
    const word = (hash >>> 5) & (this.#bits.length - 1);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (hash & 31));
  }
}

function isList<Item extends object>(found: Item | readonly Item[]): found is readonly Item[] {
  return Array.isArray(found);
}
