import { CODE_OF, CODES } from '../vin/characters.ts';
import type { Strings } from './strings.ts';

const SHORT = 3;
const LONG = 6;

/** 0-based places in a VIN of the characters of a WMI of six. */
const LONG_PLACES = [0, 1, 2, 11, 12, 13] as const;

/** Finds WMIs by their codes. */
export class WmiIndex {
  readonly #strings: Strings;
  readonly #ids: Uint32Array;
  /** Number plus one by packed code; 0 = none. */
  readonly #short = new Uint16Array(CODES ** SHORT);
  /** WMIs by packed code, made when the first VIN needs them: they are many, and few VINs have one. */
  #long: Map<number, number> | undefined;

  /** @param ids numbers of the codes among the strings; the place of each is the number of its WMI. */
  constructor(strings: Strings, ids: Uint32Array) {
    this.#strings = strings;
    this.#ids = ids;
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] as number;
      if (strings.lengthOf(id) === SHORT) this.#short[strings.packed(id)] = index + 1;
    }
  }

  /** Returns the number of the three-character WMI of a VIN; -1 = none. */
  ofShort(codes: Uint8Array): number {
    const packed = ((codes[0] as number) * CODES + (codes[1] as number)) * CODES + (codes[2] as number);
    return (this.#short[packed] as number) - 1;
  }

  /** Returns the number of the six-character WMI of a VIN; -1 = none. */
  ofLong(codes: Uint8Array): number {
    let packed = 0;
    for (const place of LONG_PLACES) {
      const code = codes[place] as number;
      if (code >= CODES) return -1;
      packed = packed * CODES + code;
    }
    this.#long ??= this.#readLong();
    return this.#long.get(packed) ?? -1;
  }

  /** Returns the number of the WMI with this code of three or six characters; -1 = none. */
  of(text: string): number {
    const codes = Array.from(text, (character) => CODE_OF[character.charCodeAt(0)] ?? CODES);
    if (codes.some((code) => code >= CODES)) return -1;
    if (text.length === SHORT) return this.ofShort(Uint8Array.from(codes));
    if (text.length !== LONG) return -1;
    const placed = new Uint8Array(LONG_PLACES.length + LONG_PLACES[3]);
    for (const [index, place] of LONG_PLACES.entries()) placed[place] = codes[index] as number;
    return this.ofLong(placed);
  }

  #readLong(): Map<number, number> {
    const found = new Map<number, number>();
    for (const [index, id] of this.#ids.entries()) {
      if (this.#strings.lengthOf(id) === LONG) found.set(this.#strings.packed(id), index);
    }
    return found;
  }
}
