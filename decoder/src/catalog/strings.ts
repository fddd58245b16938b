import { CODE_OF, CODES } from '../vin/characters.ts';
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

  /** Returns the number of strings. */
  get count(): number {
    return this.#offsets.length - 1;
  }

  /** Returns the numbers of those of these texts that are in the table. */
  numbersOf(texts: Iterable<string>): Map<string, number> {
    const wanted = new Set(texts);
    const encoder = new TextEncoder();
    // Length and first byte rule out nearly all, so that few strings are made.
    const kinds = new Set([...wanted].map((text) => encoder.encode(text)).map((own) => kindOf(own.length, own[0])));
    const found = new Map<string, number>();
    for (let id = 0; id < this.count; id++) {
      const at = this.#offsets[id] as number;
      if (!kinds.has(kindOf((this.#offsets[id + 1] as number) - at, this.#bytes[at]))) continue;
      const text = this.#decoder.decode(this.#bytes.subarray(at, this.#offsets[id + 1]));
      if (wanted.has(text)) found.set(text, id);
    }
    return found;
  }

  /** Returns the number of bytes of a string. */
  lengthOf(id: number): number {
    return (this.#offsets[id + 1] as number) - (this.#offsets[id] as number);
  }

  /** Returns a string of characters that VINs have as one number, without making the string. */
  packed(id: number): number {
    let packed = 0;
    for (let at = this.#offsets[id] as number; at < (this.#offsets[id + 1] as number); at++) {
      packed = packed * CODES + (CODE_OF[this.#bytes[at] as number] as number);
    }
    return packed;
  }

  /** Returns true if a string comes before a text, without making it: a search compares a text with many. */
  isBelow(id: number, text: string): boolean {
    const start = this.#offsets[id] as number;
    const length = (this.#offsets[id + 1] as number) - start;
    for (let at = 0; at < length; at++) {
      const own = this.#bytes[start + at] as number;
      // Also where the text has ended: that is not a number, and less than nothing.
      const other = text.charCodeAt(at);
      if (own > ASCII || other > ASCII) return this.get(id) < text;
      if (own !== other) return own < other;
    }
    return length < text.length;
  }

  get(id: number): string {
    const known = this.#cache[id];
    if (known !== undefined) return known;
    const text = this.#make(this.#offsets[id] as number, this.#offsets[id + 1] as number);
    this.#cache[id] = text;
    return text;
  }

  /** Makes a string; a short one of ASCII alone without the text decoder, to call which takes five times as long. */
  #make(start: number, end: number): string {
    const codes: number[] = [];
    for (let at = start; at < end; at++) {
      const code = this.#bytes[at] as number;
      if (code > ASCII || end - start > SHORT) return this.#decoder.decode(this.#bytes.subarray(start, end));
      codes.push(code);
    }
    return String.fromCharCode(...codes);
  }
}

function kindOf(length: number, first: number | undefined): number {
  return length === 0 ? 0 : length * 256 + (first ?? 0);
}

/** The greatest character of one byte. */
const ASCII = 127;

/** Names are not longer; texts of sources are. */
const SHORT = 64;

const LONG = 255;

/**
 * Returns the offsets of strings from their lengths: a byte each, where 255 is followed by the rest of a longer one.
 */
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
