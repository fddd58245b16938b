/**
 * Numbers in memory that is used again from VIN to VIN. An array that is emptied gives its memory away: what a decode
 * gathers in arrays makes a tenth of all that it allocates.
 */
export class NumberList {
  #numbers = new Int32Array(64);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  at(place: number): number {
    return this.#numbers[place] as number;
  }

  add(number: number): void {
    if (this.#count === this.#numbers.length) this.#grow();
    this.#numbers[this.#count++] = number;
  }

  set(place: number, number: number): void {
    this.#numbers[place] = number;
  }

  /** Keeps the first `count` numbers. */
  cut(count: number): void {
    this.#count = count;
  }

  /** Returns true if a condition holds for all of the numbers. */
  every(holds: (number: number) => boolean): boolean {
    for (let at = 0; at < this.#count; at++) if (!holds(this.#numbers[at] as number)) return false;
    return true;
  }

  /** Returns true if a condition holds for one of the numbers. */
  some(holds: (number: number) => boolean): boolean {
    for (let at = 0; at < this.#count; at++) if (holds(this.#numbers[at] as number)) return true;
    return false;
  }

  #grow(): void {
    const grown = new Int32Array(this.#numbers.length * 2);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
