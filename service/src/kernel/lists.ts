const AND = new Intl.ListFormat('en-US', { type: 'conjunction' });
const OR = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Things in a sentence: "a, b, and c". Pure. */
export function andList(items: readonly string[]): string {
  return AND.format(items);
}

/** Choices in a sentence: "a, b, or c". Pure. */
export function orList(items: readonly string[]): string {
  return OR.format(items);
}
