import { lowerBound, REQUIRED } from '../labels/bound.ts';
import { isWord, mostOf, type PatternField, sameValue } from './fields.ts';
import type { CountedPattern, CountedValue } from './pattern-counts.ts';

/** What most cars of a pattern say of a field, and how many say so and otherwise. */
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

/** How right what was learned of a field was about cars that it was not learned from. */
export interface LeftOut {
  right: number;
  count: number;
}

/** Whether so many cars settle a field: at least so large a share of all such cars says the same. */
export function settles(field: PatternField, { agree, against }: Agreement): boolean {
  return lowerBound(agree, agree + against) >= (field === 'family' ? REQUIRED.identity : REQUIRED.detail);
}

/** What all cars of a pattern say; what the tenth that was left out says of the rest is added to the counts. */
export function settlePattern(counted: CountedPattern, leftOut: Map<PatternField, LeftOut>): Pattern {
  const fields = new Map<PatternField, Agreement>();
  for (const [field, values] of counted.fields) {
    judge(field, values, leftOut);
    const agreement = agreementOf(field, values, ({ taught, leftOut: left }) => taught + left);
    if (agreement !== undefined) fields.set(field, agreement);
  }
  return { mask: counted.mask, cars: counted.cars, fields };
}

function judge(field: PatternField, values: readonly CountedValue[], leftOut: Map<PatternField, LeftOut>): void {
  const taught = agreementOf(field, values, (value) => value.taught);
  if (taught === undefined || !settles(field, taught)) return;
  const counts = leftOut.get(field) ?? { right: 0, count: 0 };
  leftOut.set(field, counts);
  for (const { value, leftOut: cars } of values) {
    counts.count += cars;
    if (sameValue(field, taught.value, value)) counts.right += cars;
  }
}

/** What most cars say: a word, or the commonest of the numbers that lie near each other. */
function agreementOf(
  field: PatternField,
  values: readonly CountedValue[],
  carsOf: (value: CountedValue) => number,
): Agreement | undefined {
  const counted = values.map((one) => ({ value: one.value, cars: carsOf(one) })).filter(({ cars }) => cars > 0);
  const total = counted.reduce((sum, { cars }) => sum + cars, 0);
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

/** For each number all that lie within its tolerance above it. */
function windows(field: PatternField, counted: readonly Valued[]): Valued[][] {
  const sorted = counted.toSorted((a, b) => Number(a.value) - Number(b.value));
  return sorted.map((low, index) => {
    const most = mostOf(field, Number(low.value));
    const end = sorted.findIndex(({ value }, at) => at > index && Number(value) > most);
    return sorted.slice(index, end < 0 ? sorted.length : end);
  });
}
