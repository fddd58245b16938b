import { isTolerant, type LearnedField, sameValue } from './fields.ts';

/** Counts of independent groups by value. */
export type ValueCounts = Map<string, number>;

/** The value that most groups say, how many say it, and how many there are. */
export interface Majority {
  value: string;
  agreeing: number;
  groups: number;
}

/** Returns the value of most groups; undefined if there are none. */
export function majorityOf(field: LearnedField, counts: ValueCounts): Majority | undefined {
  const [best] = majoritiesOf(field, counts);
  return best;
}

/**
 * Returns the value of most groups, and then, for each value in turn, that of most without one of its groups; undefined
 * if none is left.
 */
export function majoritiesOf(field: LearnedField, counts: ValueCounts): (Majority | undefined)[] {
  const values = [...counts.keys()];
  const left = [...counts.values()];
  const agreeing = values.map((value) => agreeingWith(field, counts, value));
  const groups = left.reduce((sum, count) => sum + count, 0);
  const most = (without?: string): Majority | undefined => {
    let best: Majority | undefined;
    for (const [index, value] of values.entries()) {
      const isOne = without !== undefined && sameValue(field, value, without);
      const count = (agreeing[index] as number) - (isOne ? 1 : 0);
      if ((left[index] as number) - (value === without ? 1 : 0) === 0 || count <= (best?.agreeing ?? 0)) continue;
      best = { value, agreeing: count, groups: groups - (without === undefined ? 0 : 1) };
    }
    return best;
  };
  const whole = most();
  if (whole === undefined) return [];
  const rest = { ...whole, groups: groups - 1 };
  // Leaving out a group with another value leaves the majority as it is.
  return [whole, ...values.map((value) => (sameValue(field, value, whole.value) ? most(value) : rest))];
}

function agreeingWith(field: LearnedField, counts: ValueCounts, value: string): number {
  if (!isTolerant(field)) return counts.get(value) ?? 0;
  let agreeing = 0;
  for (const [other, count] of counts) if (sameValue(field, value, other)) agreeing += count;
  return agreeing;
}
