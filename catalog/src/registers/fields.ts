import { APPROVAL_FIELDS, type ApprovalField } from '../approvals/columns.ts';

/**
 * Fields that the cars of a pattern may agree on: those of type approvals, bodies, the family as "make|model", and the
 * range of their model years, as "2004-2011": learned from cars, or given for a range of serial numbers by their time
 * of production.
 */
export const PATTERN_FIELDS = ['family', 'bodies', 'years', 'built', ...APPROVAL_FIELDS] as const satisfies readonly (
  | 'family'
  | 'bodies'
  | 'years'
  | 'built'
  | ApprovalField
)[];

export type PatternField = (typeof PATTERN_FIELDS)[number];

const WORDS: ReadonlySet<PatternField> = new Set([
  'family',
  'bodies',
  'years',
  'built',
  'fuel',
  'drive',
  'gearbox',
  'emissions',
]);

/** Options change weights and outside dimensions from car to car of one type. */
const SHARE = 1.05;
/** Registers round, and convert horsepower. */
const ABOVE: Partial<Record<PatternField, number>> = { cc: 2, powerKw: 1, cylinders: 0 };

export function isWord(field: PatternField): boolean {
  return WORDS.has(field);
}

/** Returns the greatest value that agrees with a lower one of a field of numbers. */
export function mostOf(field: PatternField, low: number): number {
  const above = ABOVE[field];
  return above === undefined ? low * SHARE : low + above;
}

/** Returns true if two values mean the same; for years, if both can be true. */
export function sameValue(field: PatternField, a: string, b: string): boolean {
  if (field === 'years' || field === 'built') return yearsOverlap(yearsOf(a), yearsOf(b));
  if (isWord(field)) return a === b;
  const [low, high] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
  return high <= mostOf(field, low);
}

/** Years from the first to the last. */
export interface Years {
  from: number;
  to: number;
}

export function yearsOf(text: string): Years {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return { from, to };
}

export function yearsText({ from, to }: Years): string {
  return `${from}-${to}`;
}

function yearsOverlap(a: Years, b: Years): boolean {
  return a.from <= b.to && b.from <= a.to;
}
