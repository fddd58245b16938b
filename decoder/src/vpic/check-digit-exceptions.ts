const VIN_LENGTH = 17;

/**
 * Returns true if a VIN is among those with a wrong check digit that NHTSA accepts: VINs in order, one after the other.
 */
export function isException(vins: Uint8Array, vin: string): boolean {
  if (vin.length !== VIN_LENGTH) return false;
  let [low, high] = [0, vins.length / VIN_LENGTH];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareAt(vins, middle * VIN_LENGTH, vin);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

function compareAt(vins: Uint8Array, at: number, vin: string): number {
  for (let index = 0; index < VIN_LENGTH; index++) {
    const order = (vins[at + index] ?? 0) - vin.charCodeAt(index);
    if (order !== 0) return order;
  }
  return 0;
}
