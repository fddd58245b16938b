import { type CompiledPattern, compilePattern, holdsFor } from '../vin/pattern.ts';

/** The patterns over VINs that rows have, by the number of the text that each is; each is compiled once. */
export class VinPatterns {
  readonly #textOf: (number: number) => string;
  readonly #patterns: (CompiledPattern | undefined)[] = [];

  /** @param count the number of texts. */
  constructor(count: number, textOf: (number: number) => string) {
    this.#textOf = textOf;
    // V8 keeps an array that grows in leaps as a hash table.
    this.#patterns.length = count;
  }

  /** Returns true if a VIN, as codes, fits a pattern. */
  hold(number: number, codes: Uint8Array): boolean {
    let pattern = this.#patterns[number];
    if (pattern === undefined) this.#patterns[number] = pattern = compilePattern(this.#textOf(number));
    return holdsFor(pattern, codes);
  }
}
