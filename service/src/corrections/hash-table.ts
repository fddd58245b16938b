/** Items by a hash, nearly always one each: an array for each would take more memory than the items. */
export class HashTable<Item extends object> {
  /** An array where several share a hash. */
  readonly #items = new Map<number, Item | readonly Item[]>();

  /** Returns true if there is an item with this hash. */
  has(hash: number): boolean {
    return this.#items.has(hash);
  }

  /** Returns the items of a hash. */
  at(hash: number): readonly Item[] {
    const found = this.#items.get(hash);
    if (found === undefined) return [];
    return isList(found) ? found : [found];
  }

  add(hash: number, item: Item): void {
    const others = this.at(hash);
    this.#items.set(hash, others.length === 0 ? item : [...others, item]);
  }

  /** Removes matching items. @returns whether there were any. */
  remove(hash: number, fits: (item: Item) => boolean): boolean {
    const before = this.at(hash);
    const after = before.filter((item) => !fits(item));
    const [only] = after;
    if (only === undefined) this.#items.delete(hash);
    else this.#items.set(hash, after.length === 1 ? only : after);
    return after.length < before.length;
  }
}

function isList<Item extends object>(found: Item | readonly Item[]): found is readonly Item[] {
  return Array.isArray(found);
}
