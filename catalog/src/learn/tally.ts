import { type LearnedField, sameValue } from './fields.ts';

/** How many independent groups say each value. */
export type ValueCounts = Map<string, number>;

/** The value that most groups say, how many say it, and how many there are. */
export interface Majority {
  value: string;
  agreeing: number;
  groups: number;
}

/** The majority of these groups, leaving out one that says `without`. Undefined where none is left. */
export function majorityOf(field: LearnedField, counts: ValueCounts, without?: string): Majority | undefined {
  let best: Majority | undefined;
  let groups = 0;
  for (const [value, count] of counts) {
    const left = count - (value === without ? 1 : 0);
    groups += left;
    if (left === 0) continue;
    const agreeing = counts.size === 1 ? left : agreeingWith(field, counts, value, without);
    if (best === undefined || agreeing > best.agreeing) best = { value, agreeing, groups: 0 };
  }
  return best === undefined ? undefined : { ...best, groups };
}

function agreeingWith(field: LearnedField, counts: ValueCounts, value: string, without: string | undefined): number {
  let agreeing = 0;
  for (const [other, count] of counts) {
    if (sameValue(field, value, other)) agreeing += count - (other === without ? 1 : 0);
  }
  return agreeing;
}
