import { CODE_OF, CODES, COLUMN_OF_INDEX, UNKNOWN } from './characters.ts';

/** A VIN as codes, and the same by key column; any other character is 255 in `codes`, `UNKNOWN` in columns. */
export class VinCodes {
  readonly codes = new Uint8Array(17);
  readonly columns = new Uint8Array(13);
  /**
   * Boundaries of the serial ranges of rows whose other characters the VIN has: with the positions of its WMI they are
   * all that its decoding depends on.
   */
  readonly bounds: number[] = [];

  /** Fills the codes of a VIN, which may lack characters. */
  read(vin: string): void {
    if (this.bounds.length > 0) this.bounds.length = 0;
    for (let index = 0; index < 17; index++) {
      const code = CODE_OF[vin.charCodeAt(index) & 127] as number;
      this.codes[index] = code;
      const column = COLUMN_OF_INDEX[index] as number;
      if (column >= 0) this.columns[column] = code < CODES ? code : UNKNOWN;
    }
  }

  /** Returns true if positions 13 to 17, read as a number in base 36, are in a range; `to` is exclusive. */
  isSerialIn(from: number, to: number): boolean {
    this.bounds.push(from, to);
    const serial = serialOf(this.codes);
    return serial >= from && serial < to;
  }
}

/** Returns positions 13 to 17 as a number in base 36. */
export function serialOf(codes: Uint8Array): number {
  let serial = 0;
  for (let index = 12; index < 17; index++) serial = serial * CODES + (codes[index] as number);
  return serial;
}
