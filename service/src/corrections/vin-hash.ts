/** A hash of the characters of a VIN at some positions (counted from 0): the same for equal ones. Fits a small integer. */
export function hashAt(vin: string, positions: readonly number[]): number {
  let hash = 0;
  for (let index = 0; index < positions.length; index++) {
    hash = Math.imul(hash, 31) + vin.charCodeAt(positions[index] ?? 0);
  }
  // Spreads what sums leave close together over all bits, once at the end: this runs at every decode.
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (spread ^ (spread >>> 12)) & 0x3f_ff_ff_ff;
}

/** The first three characters of a text as a number. */
export function wmiKey(text: string): number {
  return (text.charCodeAt(0) << 14) | (text.charCodeAt(1) << 7) | text.charCodeAt(2);
}
