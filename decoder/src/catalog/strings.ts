import type { Container } from './container.ts';

/** The catalog's string table: strings are made when first asked for, so opening creates none. Number 0 is "". */
export class Strings {
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #cache: (string | undefined)[];
  readonly #decoder = new TextDecoder();

  constructor(container: Container) {
    this.#offsets = container.u32('strings.offsets');
    this.#bytes = container.u8('strings.bytes');
    this.#cache = Array.from({ length: this.#offsets.length - 1 });
  }

  get(id: number): string {
    const known = this.#cache[id];
    if (known !== undefined) return known;
    const text = this.#decoder.decode(this.#bytes.subarray(this.#offsets[id], this.#offsets[id + 1]));
    this.#cache[id] = text;
    return text;
  }
}
