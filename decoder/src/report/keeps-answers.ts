import type { VehicleReport } from './report.ts';

/** The type of vehicles of which the catalog knows no more than that they are cars: the body refines it. */
const ANY_CAR = 'Passenger car';

/** Types that a car of open body may turn out to have. */
const KINDS_OF_CARS: ReadonlySet<string | undefined> = new Set(['SUV', 'Van', 'Pickup']);

/**
 * Returns true if a report has all answers of another one, unchanged: it may only have more. The engine in words is
 * made of other fields, styles that are possible give way to one of them, and the type of a car of open body becomes
 * more precise.
 */
export function keepsAnswers(before: VehicleReport, after: VehicleReport): boolean {
  return (
    keepsValues(before.specs, after.specs, 'engine') &&
    keepsValues(before.technicalSpecs, after.technicalSpecs) &&
    keepsValues(before, after, 'specs', 'technicalSpecs', 'bodyStyleNormalized', 'possibleBodyStyles', 'vehicleType') &&
    (before.bodyStyleNormalized === 'unknown' || before.bodyStyleNormalized === after.bodyStyleNormalized) &&
    keepsStyles(before, after) &&
    keepsType(before, after)
  );
}

function keepsValues<T extends object>(before: T | undefined, after: T | undefined, ...besides: (keyof T)[]): boolean {
  if (before === undefined) return true;
  for (const [name, value] of Object.entries(before)) {
    if (value !== (after as Record<string, unknown> | undefined)?.[name] && !besides.includes(name as keyof T))
      return false;
  }
  return true;
}

function keepsStyles({ possibleBodyStyles: before }: VehicleReport, after: VehicleReport): boolean {
  if (before === undefined) return true;
  const { bodyStyle, possibleBodyStyles = [bodyStyle] } = after;
  const isSame =
    before.length === possibleBodyStyles.length && before.every((style, at) => style === possibleBodyStyles[at]);
  return isSame || (bodyStyle !== undefined && before.includes(bodyStyle));
}

function keepsType(before: VehicleReport, after: VehicleReport): boolean {
  if (before.vehicleType === undefined || before.vehicleType === after.vehicleType) return true;
  return (
    before.vehicleType === ANY_CAR && before.bodyStyleNormalized === 'unknown' && KINDS_OF_CARS.has(after.vehicleType)
  );
}
