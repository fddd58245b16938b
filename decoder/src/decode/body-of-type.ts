import type { BodyStyle } from '../report/report.ts';

/** Vehicle types that name a body. */
const BODIES: ReadonlyMap<string, BodyStyle> = new Map([
  ['Motorcycle', 'motorcycle'],
  ['Trailer', 'trailer'],
  ['Bus', 'bus'],
  ['Truck', 'truck'],
]);

/** The body that follows from what the vehicle is; undefined where it does not. Pickups and vans are light trucks. */
export function bodyOfType(vehicleType: string, isHeavy: boolean): BodyStyle | undefined {
  return vehicleType === 'Truck' && !isHeavy ? undefined : BODIES.get(vehicleType);
}
