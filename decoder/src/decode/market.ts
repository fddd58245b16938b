import type { SpecMarket } from '../specs/table.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';

/** Returns true if a WMI with this first character is of North America (ISO 3780). */
export function isOfNorthAmerica(first: number): boolean {
  return first >= 49 && first <= 53;
}

/**
 * Returns true if a VIN comes from North America or has the check digit that each VIN there has; no other is in its
 * form.
 */
export function mayBeNorthAmerican(vin: string): boolean {
  return isOfNorthAmerica(vin.charCodeAt(0)) || hasValidCheckDigit(vin);
}

/**
 * Japan, Korea and Turkey: their cars with a VIN of the world's form are built as for Europe. Japan's own cars have
 * none.
 */
const EXPORTER = /^(?:J|K[L-R]|N[LM])/;

/** Returns the market whose specifications apply to a VIN. */
export function marketOf(isNorthAmerican: boolean, region: string, vin: string): SpecMarket | undefined {
  if (isNorthAmerican) return 'north-america';
  return region === 'Europe' || EXPORTER.test(vin) ? 'europe' : undefined;
}
