import { checkDigitOf } from '../vin/check-digit.ts';
import { yearOfCode } from '../vin/year-codes.ts';
import { isDigit } from './model-year.ts';

const ALLOWED = /^[A-HJ-NPR-Z0-9]+$/;

/**
 * Returns the check digit as vPIC computes it: undefined where a character is not allowed in its place, so that no
 * check digit fits. Position 13 must be a digit for cars and light trucks, 14 for all but makers of few vehicles.
 */
export function vpicCheckDigit(vin: string, carOrLightTruck: boolean): string | undefined {
  const longWmi = vin.charAt(2) === '9';
  if (yearOfCode(vin.charCodeAt(9)) === 0) return undefined;
  if (!ALLOWED.test(vin.slice(0, 8) + vin.slice(9))) return undefined;
  if (carOrLightTruck && !longWmi && !isDigit(vin.charCodeAt(12))) return undefined;
  if (!longWmi && !isDigit(vin.charCodeAt(13))) return undefined;
  for (let index = 14; index < 17; index++) if (!isDigit(vin.charCodeAt(index))) return undefined;
  return checkDigitOf(vin);
}

/** Returns the older rule, which vPIC still uses when it tries out repairs: positions 13 and 14 are always digits. */
export function strictCheckDigit(vin: string): string | undefined {
  if (!isDigit(vin.charCodeAt(12)) || !isDigit(vin.charCodeAt(13))) return undefined;
  return vpicCheckDigit(vin, true);
}
