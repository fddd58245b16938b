import { APPROVAL_FIELDS, type ApprovalField } from '../approvals/columns.ts';

/** What the cars of a pattern may agree on: the fields of type approvals, bodies, and the family as "make|model". */
export const PATTERN_FIELDS = ['family', 'bodies', ...APPROVAL_FIELDS] as const satisfies readonly (
  | 'family'
  | 'bodies'
  | ApprovalField
)[];

export type PatternField = (typeof PATTERN_FIELDS)[number];

const WORDS: ReadonlySet<PatternField> = new Set(['family', 'bodies', 'fuel', 'drive', 'gearbox', 'emissions']);

/** Options change weights and outside dimensions from car to car of one type. */
const SHARE = 1.05;
/** Registers round, and convert horsepower. */
const ABOVE: Partial<Record<PatternField, number>> = { cc: 2, powerKw: 1, cylinders: 0 };

export function isWord(field: PatternField): boolean {
  return WORDS.has(field);
}

/** The greatest value that agrees with a lower one of a field of numbers. */
export function mostOf(field: PatternField, low: number): number {
  const above = ABOVE[field];
  return above === undefined ? low * SHARE : low + above;
}

/** Whether two values say the same. */
export function sameValue(field: PatternField, a: string, b: string): boolean {
  if (isWord(field)) return a === b;
  const [low, high] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
  return high <= mostOf(field, low);
}
