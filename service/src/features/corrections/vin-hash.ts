/** A hash of the characters of a VIN at some positions (counted from 0): the same for equal ones. Fits a small integer. */
export function hashAt(vin: string, positions: readonly number[], seed: number): number {
  let hash = seed;
  for (let index = 0; index < positions.length; index++) {
    hash = (Math.imul(hash, 31) + vin.charCodeAt(positions[index] ?? 0)) | 0;
  }
  return mixed(hash);
}

/** A hash of all characters of a text. */
export function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return mixed(hash);
}

/** Spreads what sums leave close together over all bits, once at the end: this runs at every decode. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (spread ^ (spread >>> 12)) & 0x3f_ff_ff_ff;
}
