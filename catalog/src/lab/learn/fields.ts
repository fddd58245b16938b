import { REQUIRED } from '../../bound.ts';

/** Fields learned from a car, in the order of the rows of one pattern. */
export const LEARNED_FIELDS = [
  'make',
  'model',
  'generation',
  'body',
  'fuelType',
  'displacementCc',
  'powerKw',
  'driveType',
  'transmission',
] as const;

export type LearnedField = (typeof LEARNED_FIELDS)[number];

/** Returns the share of right answers that a field's bound has to carry. */
export function requiredShare(field: LearnedField): number {
  return field === 'make' || field === 'model' ? REQUIRED.identity : REQUIRED.detail;
}

/** The largest difference of two labels of one engine: sellers round to a tenth of a liter and from horsepower. */
const TOLERANCE: Partial<Record<LearnedField, number>> = { displacementCc: 70, powerKw: 2 };

/** Returns true if two values of a field, in the catalog's words, mean the same. */
export function sameValue(field: LearnedField, a: string, b: string): boolean {
  const tolerance = TOLERANCE[field];
  return tolerance === undefined ? a === b : Math.abs(Number(a) - Number(b)) <= tolerance;
}

/** Returns true if values that differ a little mean the same. */
export function isTolerant(field: LearnedField): boolean {
  return TOLERANCE[field] !== undefined;
}
