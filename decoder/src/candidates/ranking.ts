/** Longer lists of possibilities are no help in choosing. */
const MOST_CANDIDATES = 20;

/** Values with the weight of their evidence, for ordering them by likelihood. */
export class Ranking<Value extends string | number> {
  readonly #weights = new Map<Value, number>();

  /** Adds to the weight of a value; empty texts and zeros are ignored. */
  add(value: Value, weight: number): void {
    if (value === '' || value === 0) return;
    this.#weights.set(value, (this.#weights.get(value) ?? 0) + weight);
  }

  /** Multiplies each weight by the value's own factor. */
  weigh(factor: (value: Value) => number): void {
    for (const [value, weight] of this.#weights) this.#weights.set(value, weight * factor(value));
  }

  get size(): number {
    return this.#weights.size;
  }

  /** The values, likeliest first; of equal ones the first added. */
  values(): Value[] {
    return [...this.#weights]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_CANDIDATES)
      .map(([value]) => value);
  }

  /** Adds all values of another ranking. */
  addAll(other: Ranking<Value>): void {
    for (const [value, weight] of other.#weights) this.add(value, weight);
  }

  /** Drops values that weigh less than a share of the heaviest. */
  dropBelow(share: number): void {
    const least = share * Math.max(0, ...this.#weights.values());
    for (const [value, weight] of this.#weights) if (weight < least) this.#weights.delete(value);
  }

  /** Keeps the values that pass, if any does. @returns whether one does, or there was none. */
  narrow(passes: (value: Value) => boolean): boolean {
    const kept = [...this.#weights].filter(([value]) => passes(value));
    if (kept.length === 0) return this.#weights.size === 0;
    this.#weights.clear();
    for (const [value, weight] of kept) this.#weights.set(value, weight);
    return true;
  }
}
