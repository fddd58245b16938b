const NINE = 57;
const BEFORE_LETTERS = 55;
const ZERO = 48;
const CODED = 11;

/** Returns the characters that a code may consist of as numbers: 0-9, then A = 10. */
export function digitsOf(vin: string): Uint8Array {
  const digits = new Uint8Array(CODED);
  for (let at = 0; at < CODED; at++) {
    const code = vin.charCodeAt(at);
    digits[at] = code > NINE ? code - BEFORE_LETTERS : code - ZERO;
  }
  return digits;
}
