import type { Container } from './container.ts';

/** The catalog's string table: strings are made when first asked for, so opening creates none. Number 0 is "". */
export class Strings {
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #cache: (string | undefined)[] = [];
  readonly #decoder = new TextDecoder();

  constructor(container: Container) {
    this.#bytes = container.u8('strings.bytes');
    this.#offsets = offsetsOf(container.u8('strings.lengths'));
    // Holes cost nothing; filling the places of some 200,000 strings takes milliseconds.
    this.#cache.length = this.#offsets.length - 1;
  }

  get(id: number): string {
    const known = this.#cache[id];
    if (known !== undefined) return known;
    const text = this.#decoder.decode(this.#bytes.subarray(this.#offsets[id], this.#offsets[id + 1]));
    this.#cache[id] = text;
    return text;
  }
}

const LONG = 255;

/** Lengths are of one byte; 255 is followed by the rest of a longer one. */
function offsetsOf(lengths: Uint8Array): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  let count = 0;
  let offset = 0;
  for (let index = 0; index < lengths.length; index++) {
    const length = lengths[index] as number;
    offset += length;
    if (length !== LONG) offsets[++count] = offset;
  }
  return offsets.slice(0, count + 1);
}
