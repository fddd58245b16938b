import type { SpecMarket } from '../specs/table.ts';
import { hasValidCheckDigit, mayBeCheckDigit } from '../vin/check-digit.ts';

/** Returns true if a WMI with this first character is of North America (ISO 3780). */
export function isOfNorthAmerica(first: number): boolean {
  return first >= 49 && first <= 53;
}

/**
 * Returns true if a VIN may be in North American form: it comes from there, or has the check digit that each VIN there
 * has. One with another digit in its place may be mistyped, if the maker's layout knows no model.
 */
export function mayBeNorthAmerican(vin: string, hasModel: boolean): boolean {
  return isOfNorthAmerica(vin.charCodeAt(0)) || hasValidCheckDigit(vin) || (!hasModel && mayBeCheckDigit(vin));
}

/**
 * Japan, Korea and Turkey: their cars with a VIN of the world's form are built as for Europe. Japan's own cars have
 * none.
 */
const EXPORTER = /^(?:J|K[L-R]|N[LM])/;

/**
 * The United States and Canada, with a year at position 10, as exports of Toyota lack: with the check digit, their cars
 * are for North America also where NHTSA knows no code.
 */
const OF_UNITED_STATES_OR_CANADA = /^[1245].{8}[1-9A-HJ-NPR-TV-Y]/;

/** Returns the market whose specifications apply to a VIN. */
export function marketOf(isNorthAmerican: boolean, region: string, vin: string): SpecMarket | undefined {
  if (isNorthAmerican || (OF_UNITED_STATES_OR_CANADA.test(vin) && hasValidCheckDigit(vin))) return 'north-america';
  return region === 'Europe' || EXPORTER.test(vin) ? 'europe' : undefined;
}
