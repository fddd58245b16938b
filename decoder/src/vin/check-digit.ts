/** Weights by position, 49 CFR 565.15(c) table IV; position 9 counts nothing. */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2] as const;

/** Values of the characters by char code, 49 CFR 565.15(c) table III; 255 = not a VIN character. */
const VALUES = new Uint8Array(128).fill(255);
for (const [index, character] of [...'0123456789'].entries()) VALUES[character.charCodeAt(0)] = index;
for (const [letters, first] of [
  ['ABCDEFGH', 1],
  ['JKLMN', 1],
  ['P', 7],
  ['R', 9],
  ['STUVWXYZ', 2],
] as const) {
  for (const [index, character] of [...letters].entries()) VALUES[character.charCodeAt(0)] = first + index;
}

/**
 * Returns the check digit (`0`-`9` or `X`) that North America and China require at position 9 of this well-formed VIN.
 */
export function checkDigitOf(vin: string): string {
  const remainder = weightedSum(vin) % 11;
  return remainder === 10 ? 'X' : String(remainder);
}

/**
 * Returns true if position 9 has the computed check digit. Most of the world uses none, so false alone proves nothing;
 * also false for a VIN that lacks characters (`*`).
 */
export function hasValidCheckDigit(vin: string): boolean {
  if (vin.includes('*')) return false;
  const remainder = weightedSum(vin) % 11;
  return vin.charCodeAt(8) === (remainder === 10 ? 88 : 48 + remainder);
}

/** Returns true if position 9 has a character that a check digit may be: 0 to 9 or X. */
export function mayBeCheckDigit(vin: string): boolean {
  const character = vin.charCodeAt(8);
  return (character >= 48 && character <= 57) || character === 88;
}

function weightedSum(vin: string): number {
  let sum = 0;
  for (let index = 0; index < WEIGHTS.length; index++) {
    sum += (VALUES[vin.charCodeAt(index)] ?? 0) * (WEIGHTS[index] ?? 0);
  }
  return sum;
}

/**
 * Returns true if the market that this VIN's WMI was assigned to prescribes a check digit: the United States, Canada
 * and Mexico (49 CFR 565.15(c), CMVSS 115, NOM-001-SSP) and China (GB 16735). Regions by ISO 3780.
 */
export function requiresCheckDigit(vin: string): boolean {
  return /^(?:[1245L]|3[A-X])/.test(vin);
}
