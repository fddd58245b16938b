import { REQUIRED } from '../labels/bound.ts';

/** What is learned of a car, in the order of the rows of one pattern. */
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

/** The share of right answers that a field's bound has to carry. */
export function requiredShare(field: LearnedField): number {
  return field === 'make' || field === 'model' ? REQUIRED.identity : REQUIRED.detail;
}

/** How far apart two labels of one engine lie: sellers round to a tenth of a liter and from horsepower. */
const TOLERANCE: Partial<Record<LearnedField, number>> = { displacementCc: 70, powerKw: 2 };

/** Whether two values of a field, in the catalog's words, say the same. */
export function sameValue(field: LearnedField, a: string, b: string): boolean {
  const tolerance = TOLERANCE[field];
  return tolerance === undefined ? a === b : Math.abs(Number(a) - Number(b)) <= tolerance;
}

/** Whether values that differ a little say the same. */
export function isTolerant(field: LearnedField): boolean {
  return TOLERANCE[field] !== undefined;
}
