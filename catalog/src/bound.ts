/** One-sided 95 %: of twenty bounds one may lie too high. */
const Z = 1.645;

/**
 * The smallest share required, as the lower bound of a count: make, model and year identify the car; the rest describes
 * it.
 */
export const REQUIRED = { identity: 0.97, detail: 0.95 } as const;

/** Returns Wilson's lower bound of a share: `right` of `count`; 0 if `count` is 0. */
export function lowerBound(right: number, count: number): number {
  return count === 0 ? 0 : score(right / count, count, -Z);
}

/** Returns Wilson's upper bound of a share: `right` of `count`; 1 if `count` is 0. */
export function upperBound(right: number, count: number, z = Z): number {
  return count === 0 ? 1 : score(right / count, count, z);
}

function score(share: number, count: number, z: number): number {
  const center = share + (z * z) / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  return (center + spread) / (1 + (z * z) / count);
}
