import { lowerBound, REQUIRED } from '../bound.ts';
import { isWord, mostOf, type PatternField, sameValue, yearsOf, yearsText } from './fields.ts';
import type { CountedPattern, CountedValue } from './pattern-counts.ts';

/** The value of a field that most cars of a pattern have, the number of these, and that of the others. */
export interface Agreement {
  value: string;
  agree: number;
  against: number;
}

/** A pattern with what its cars say. */
export interface Pattern {
  mask: string;
  cars: number;
  fields: Map<PatternField, Agreement>;
}

/** Counts how right the learned values of a field were about cars that they were not learned from. */
export interface LeftOut {
  right: number;
  count: number;
}

/** Returns true if so many cars decide a field: at least the required lower bound of their share agrees. */
export function settles(field: PatternField, { agree, against }: Agreement): boolean {
  // A maker's own statement, which no second one contradicts.
  if (field === 'built') return against === 0;
  return lowerBound(agree, agree + against) >= (field === 'family' ? REQUIRED.identity : REQUIRED.detail);
}

/** Decides the fields of a pattern; the result for the tenth that was left out is added to the counts. */
export function settlePattern(counted: CountedPattern, leftOut: Map<PatternField, LeftOut>): Pattern {
  const fields = new Map<PatternField, Agreement>();
  for (const [field, values] of counted.fields) {
    settleField(field, values, leftOut);
    const agreement = agreementOf(field, values, ({ taught, leftOut: left }) => taught + left);
    if (agreement !== undefined) fields.set(field, agreement);
  }
  return { mask: counted.mask, cars: counted.cars, fields };
}

function settleField(field: PatternField, values: readonly CountedValue[], leftOut: Map<PatternField, LeftOut>): void {
  if (field === 'built') return;
  const taught = agreementOf(field, values, (value) => value.taught);
  if (taught === undefined || !settles(field, taught)) return;
  const counts = leftOut.get(field) ?? { right: 0, count: 0 };
  leftOut.set(field, counts);
  for (const { value, leftOut: cars } of values) {
    counts.count += cars;
    if (sameValue(field, taught.value, value)) counts.right += cars;
  }
}

/** Returns the value of most cars: a word, or the commonest of the numbers that are near each other. */
function agreementOf(
  field: PatternField,
  values: readonly CountedValue[],
  carsOf: (value: CountedValue) => number,
): Agreement | undefined {
  const counted = values.map((one) => ({ value: one.value, cars: carsOf(one) })).filter(({ cars }) => cars > 0);
  const total = counted.reduce((sum, { cars }) => sum + cars, 0);
  if (field === 'years') return yearsAmong(counted, total);
  const groups = isWord(field) ? counted.map((one) => [one]) : windows(field, counted);
  let best: Agreement | undefined;
  for (const group of groups) {
    const agree = group.reduce((sum, { cars }) => sum + cars, 0);
    if (best !== undefined && agree <= best.agree) continue;
    const commonest = group.reduce((most, next) => (next.cars > most.cars ? next : most));
    best = { value: commonest.value, agree, against: total - agree };
  }
  return best;
}

interface Valued {
  value: string;
  cars: number;
}

/** Returns for each number all that are within its tolerance above it. */
function windows(field: PatternField, counted: readonly Valued[]): Valued[][] {
  const sorted = counted.toSorted((a, b) => Number(a.value) - Number(b.value));
  return sorted.map((low, index) => {
    const most = mostOf(field, Number(low.value));
    const end = sorted.findIndex(({ value }, at) => at > index && Number(value) > most);
    return sorted.slice(index, end < 0 ? sorted.length : end);
  });
}

/** Years of fewer cars than this share of a pattern's are slips. */
const LEAST_SHARE = 0.01;
/**
 * A pattern is built in years one after the other, of which one may be missing among few cars; and a year longer than
 * was seen.
 */
const GAP = 2;
const UNSEEN = 1;

/**
 * Returns the years in which a pattern's cars were built, from the commonest on both ways as far as they are not slips.
 */
function yearsAmong(counted: readonly Valued[], total: number): Agreement | undefined {
  const likely = counted
    .filter(({ cars }) => cars >= total * LEAST_SHARE)
    .map(({ value, cars }) => {
      const { from, to } = yearsOf(value);
      return { from, to, cars };
    })
    .toSorted((a, b) => a.from - b.from);
  const most = likely.reduce((best, { cars }, at) => (cars > (likely[best]?.cars ?? 0) ? at : best), 0);
  let [first, last] = [most, most];
  const isNext = (at: number): boolean => (likely[at + 1]?.from ?? Infinity) - (likely[at]?.from ?? 0) <= GAP;
  while (first > 0 && isNext(first - 1)) first--;
  while (isNext(last)) last++;
  const among = likely.slice(first, last + 1);
  const [from, to] = [among[0]?.from, among.at(-1)?.to];
  if (from === undefined || to === undefined) return undefined;
  const agree = among.reduce((sum, { cars }) => sum + cars, 0);
  return { value: yearsText({ from: from - UNSEEN, to: to + UNSEEN }), agree, against: total - agree };
}
