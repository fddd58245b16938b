import { CODE_OF } from '../vin/characters.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { SpecTables } from './tables.ts';

/** The characters that a VIN must have at one place, counted from 0; `asks` is its bit of `VinCodes.asked`. */
interface VinKey {
  at: number;
  asks: number;
  codes: ReadonlySet<number>;
}

/** "7=HV 11=A" as the characters' numbers. */
function vinKeysOf(text: string): VinKey[] {
  return text.split(' ').map((part) => {
    const [position = '', characters = ''] = part.split('=');
    const codes = Array.from(characters, (character) => CODE_OF[character.charCodeAt(0)] ?? 0);
    const at = Number(position) - 1;
    return { at, asks: isOfStart(at) ? 0 : 1 << at, codes: new Set(codes) };
  });
}

/** Whether VINs that are taken for alike have the place in common whatever was asked for: positions 1 to 8, 10 and 11. */
function isOfStart(at: number): boolean {
  return at < 11 && at !== 8;
}

/** The characters that rows ask for, by the number of the text that names them; each text is read once. */
export class VinKeys {
  readonly #tables: SpecTables;
  readonly #keys = new Map<number, readonly VinKey[]>();

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /** Whether a VIN has the characters. Notes in `vin.asked` which ones were looked at. */
  areIn(vin: VinCodes, number: number): boolean {
    return this.#of(number).every(({ at, asks, codes }) => {
      vin.asked |= asks;
      return codes.has(vin.codes[at] as number);
    });
  }

  #of(number: number): readonly VinKey[] {
    let keys = this.#keys.get(number);
    if (keys === undefined) this.#keys.set(number, (keys = vinKeysOf(this.#tables.word(number))));
    return keys;
  }
}
