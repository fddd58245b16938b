import { FIRST_CODED_YEAR, YEAR_CYCLE, yearOfCode } from '../vin/year-codes.ts';

/** Vehicle types of vPIC's WMI table. */
export const TYPE = { motorcycle: 1, car: 2, truck: 3, trailer: 6, mpv: 7, incomplete: 10 } as const;
const LIGHT_TRUCK = 1;
const HEAVY_TRUCK = 2;

/** The first year of the second cycle. */
export const SECOND_CYCLE = FIRST_CODED_YEAR + YEAR_CYCLE;
/** A vehicle may be built two model years ahead; vPIC allows no more. */
export const YEARS_AHEAD = 2;

/** The model year by positions 7 and 10 (docs/vpic-procedures.md 1.2). Year 0 = position 10 is not a year code. */
export interface YearReading {
  year: number;
  /** False when the same letter may also mean 30 years earlier. */
  conclusive: boolean;
  /** Position 7 means the second cycle, in which the year is still to come: one of the two characters is wrong. */
  contradicted?: boolean;
}

/** Returns true if vPIC's truck type is that of trucks above 10,000 lb. */
export function isHeavyTruck(truckType: number): boolean {
  return truckType === HEAVY_TRUCK;
}

/** Returns true if the model-year rule of 49 CFR 565 for cars and light trucks applies: position 7 gives the cycle. */
export function tellsCycleAtPosition7(vehicleType: number, truckType: number): boolean {
  return (
    vehicleType === TYPE.car || vehicleType === TYPE.mpv || (vehicleType === TYPE.truck && truckType === LIGHT_TRUCK)
  );
}

/** Reads the model year of a VIN. `carOrLightTruck` is false for an unknown WMI. */
export function readModelYear(vin: string, carOrLightTruck: boolean, currentYear: number): YearReading {
  const first = yearOfCode(vin.charCodeAt(9));
  if (first === 0) return { year: 0, conclusive: true };
  const year = first + YEAR_CYCLE;
  if (carOrLightTruck && isDigit(vin.charCodeAt(6))) return { year: first, conclusive: true };
  if (year > currentYear + YEARS_AHEAD) return { year: first, conclusive: true, contradicted: carOrLightTruck };
  return { year, conclusive: carOrLightTruck && vin.charAt(6) !== '*' };
}

/**
 * Returns the year 30 years apart in which the WMI may have schemas when it has none in this one
 * (docs/vpic-procedures.md 1.3).
 */
export function alternativeYear(year: number, currentYear: number): number {
  const limit = currentYear + YEARS_AHEAD;
  if (year <= limit - YEAR_CYCLE) return year + YEAR_CYCLE;
  return year >= SECOND_CYCLE && year <= limit ? year - YEAR_CYCLE : 0;
}

export function isDigit(characterCode: number): boolean {
  return characterCode >= 48 && characterCode <= 57;
}
