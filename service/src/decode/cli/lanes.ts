/**
 * Groups of threads that each decode kinds of VIN of their own: every thread that meets a kind decodes it. All groups
 * look at all rows, which takes less time than half of the kinds.
 */
export const LANES = 2;

/** The part of a block's rows that a group prints. */
export interface Share {
  lane: number;
  /** Prints all rows of a text that has to be parsed, which the other groups leave out. */
  parses: boolean;
}

/** Returns the group that decodes a VIN: VINs of one squish VIN go to the same. */
export function laneOf(vin: string): number {
  let hash = 0;
  for (let place = 0; place < SQUISH_END; place++) {
    if (place !== CHECK_DIGIT) hash = (hash * 31 + vin.charCodeAt(place)) | 0;
  }
  // The upper bits depend on every character.
  return (Math.imul(hash, SPREAD) >>> 16) % LANES;
}

/** Returns true if a group prints the row of a VIN. */
export function isOf(vin: string, share: Share | undefined): boolean {
  return share === undefined || laneOf(vin) === share.lane;
}

const SQUISH_END = 11;
const CHECK_DIGIT = 8;

/** The golden ratio in 32 bits. */
const SPREAD = 0x9e3779b1;
