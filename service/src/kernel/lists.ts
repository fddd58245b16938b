const AND = new Intl.ListFormat('en-US', { type: 'conjunction' });
const OR = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Joins items for a sentence: "a, b, and c". Pure. */
export function andList(items: readonly string[]): string {
  return AND.format(items);
}

/** Joins choices for a sentence: "a, b, or c". Pure. */
export function orList(items: readonly string[]): string {
  return OR.format(items);
}

/**
 * Returns a page of a list of which one more than the page was read; `last`: its last one, after which there are more.
 */
export function pageOf<T>(read: readonly T[], most: number): { page: T[]; last: T | undefined } {
  const page = read.slice(0, most);
  return { page, last: read.length > most ? page.at(-1) : undefined };
}
