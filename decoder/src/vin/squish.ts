import { CODES } from './characters.ts';

/**
 * The positions, counted from 0, of the squish VIN: 1 to 8, 10 and 11, what describes a vehicle without check digit and
 * serial number.
 */
export const SQUISH_POSITIONS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10];

/** Returns the squish VIN of 17 characters: its positions 1 to 8, 10 and 11. VINs of one kind of vehicle share it. */
export function squishOf(vin: string): string {
  return vin.slice(0, 8) + vin.slice(9, 11);
}

/** Returns the squish VIN as one number, of a VIN's codes: below 2 to the 52nd. */
export function squishKey(codes: Uint8Array): number {
  let high = 0;
  let low = 0;
  for (let at = 0; at < 5; at++) high = high * CODES + (codes[at] as number);
  for (let at = 5; at < 8; at++) low = low * CODES + (codes[at] as number);
  low = (low * CODES + (codes[9] as number)) * CODES + (codes[10] as number);
  return high * CODES ** 5 + low;
}
