import { CODE_OF, CODES, COLUMN_OF_INDEX, UNKNOWN } from './characters.ts';

/** Positions 12 to 14: a maker of few vehicles has its identity there. */
const SMALL_MAKER = 0b11_1000_0000_0000;

/** The bit of `asked` for ranges of serial numbers. */
export const SERIAL_RANGE = 2 ** 17;

/** The bit of `asked` for what NHTSA finds wrong with the whole VIN: `vpic/judged.ts` says what that depends on. */
export const FAULTS = 2 ** 18;

/** The bit of `asked` for how far the check digit is from the right one. */
export const CHECK_DIGIT_DISTANCE = 2 ** 19;

/** A VIN as codes, and the same by key column; any other character is 255 in `codes`, `UNKNOWN` in columns. */
export class VinCodes {
  readonly codes = new Uint8Array(17);
  readonly columns = new Uint8Array(13);
  /**
   * The positions, counted from 0, that its reading asked for beyond positions 1 to 8, 10 and 11 and whether the check
   * digit is right; a bit for each. VINs that agree in all of them have the same reading.
   */
  asked = 0;
  /** Where the ranges of serial numbers begin and end that its reading asked for. */
  readonly bounds: number[] = [];

  /** Fills the codes of a VIN, which may lack characters. */
  read(vin: string): void {
    this.asked = vin.charAt(2) === '9' ? SMALL_MAKER : 0;
    if (this.bounds.length > 0) this.bounds.length = 0;
    for (let index = 0; index < 17; index++) {
      const code = CODE_OF[vin.charCodeAt(index) & 127] as number;
      this.codes[index] = code;
      const column = COLUMN_OF_INDEX[index] as number;
      if (column >= 0) this.columns[column] = code < CODES ? code : UNKNOWN;
    }
  }

  /** Whether positions 13 to 17, read as a number in base 36, lie in a range; `to` is not part of it. */
  isSerialIn(from: number, to: number): boolean {
    this.asked |= SERIAL_RANGE;
    this.bounds.push(from, to);
    const serial = serialOf(this.codes);
    return serial >= from && serial < to;
  }
}

/** Positions 13 to 17 as a number in base 36. */
export function serialOf(codes: Uint8Array): number {
  let serial = 0;
  for (let index = 12; index < 17; index++) serial = serial * CODES + (codes[index] as number);
  return serial;
}
