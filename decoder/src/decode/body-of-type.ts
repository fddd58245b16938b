import type { BodyStyle } from '../report/report.ts';

/** Vehicle types that name a body. */
const BODIES: ReadonlyMap<string, BodyStyle> = new Map([
  ['Motorcycle', 'motorcycle'],
  ['Trailer', 'trailer'],
  ['Bus', 'bus'],
  ['Truck', 'truck'],
]);

/**
 * Returns the body that follows from the type of vehicle; undefined if none does. Pickups and vans are light trucks.
 */
export function bodyOfType(vehicleType: string, isHeavy: boolean): BodyStyle | undefined {
  return vehicleType === 'Truck' && !isHeavy ? undefined : BODIES.get(vehicleType);
}
