/** The longest list of candidates: longer ones do not help in choosing. */
const MOST_CANDIDATES = 20;

/** Values with the weight of their evidence, for ordering them by likelihood. */
export class Ranking<Value extends string | number> {
  readonly #weights = new Map<Value, number>();
  /** Values that are possible and too rare to be offered. */
  readonly #rare = new Set<Value>();

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

  /** Returns the values to offer, likeliest first; of equal ones the first added. */
  values(): Value[] {
    return [...this.#weights]
      .filter(([value]) => !this.#rare.has(value))
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_CANDIDATES)
      .map(([value]) => value);
  }

  /** Adds all values of another ranking; values that are rare there and new here are rare here, too. */
  addAll(other: Ranking<Value>): void {
    for (const [value, weight] of other.#weights) {
      if (other.#rare.has(value) && !this.#weights.has(value)) this.#rare.add(value);
      this.add(value, weight);
    }
  }

  /** Hides values below `share` of the top weight, unless narrowing left nothing else. */
  hideBelow(share: number): void {
    const least = share * Math.max(0, ...this.#weights.values());
    for (const [value, weight] of this.#weights) if (weight < least) this.#rare.add(value);
  }

  /** Keeps the values that pass, if any does. @returns whether one does, or there was none. */
  narrow(passes: (value: Value) => boolean): boolean {
    const kept = [...this.#weights].filter(([value]) => passes(value));
    if (kept.length === 0) return this.#weights.size === 0;
    this.#weights.clear();
    this.#rare.clear();
    for (const [value, weight] of kept) this.#weights.set(value, weight);
    return true;
  }
}
