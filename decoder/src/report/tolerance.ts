/** The largest difference at which values mean the same. */
export type Tolerance = { kind: 'share'; share: number } | { kind: 'distance'; distance: number };

/** Returns a tolerance: within a share of the smallest value. */
export function share(share: number): Tolerance {
  return { kind: 'share', share };
}

/** Returns a tolerance: within a distance of the smallest value, in the field's unit. */
export function distance(distance: number): Tolerance {
  return { kind: 'distance', distance };
}
