import { type Cell, cellsOf, type PositionChoice } from './cells.ts';
import type { LearnedField } from './fields.ts';
import { sameValue } from './fields.ts';
import type { Observation } from './observe.ts';
import { type Majority, majorityOf } from './tally.ts';

/** How many held-out groups the others of their cell foretold rightly. */
export interface Foretold {
  right: number;
  count: number;
}

/** A cell with what its groups foretell of one another. */
export interface JudgedCell extends Cell {
  key: number;
  majority: Majority;
  foretold: Foretold;
}

/** A choice of positions in a layout: its cells, and how well it parts one value from another there. */
export interface JudgedChoice {
  choice: PositionChoice;
  cells: JudgedCell[];
  foretold: Foretold;
}

/** Judges a choice of positions by holding out each group in turn. */
export function judgeChoice(
  observations: readonly Observation[],
  field: LearnedField,
  choice: PositionChoice,
): JudgedChoice {
  const judged: JudgedChoice = { choice, cells: [], foretold: { right: 0, count: 0 } };
  for (const [key, cell] of cellsOf(observations, field, choice)) {
    const majority = majorityOf(field, cell.counts);
    if (majority === undefined) continue;
    const foretold = { right: 0, count: 0 };
    for (const { held, others, groups } of heldOut(field, cell)) {
      foretold.count += groups;
      if (sameValue(field, others.value, held)) foretold.right += groups;
    }
    judged.foretold.count += foretold.count;
    judged.foretold.right += foretold.right;
    judged.cells.push({ ...cell, key, majority, foretold });
  }
  return judged;
}

/** Each value of a cell held out once: what the others say, and for how many groups it is the same trial. */
export function* heldOut(
  field: LearnedField,
  { counts }: Cell,
): Generator<{ held: string; others: Majority; groups: number }> {
  for (const [held, groups] of counts) {
    const others = majorityOf(field, counts, held);
    if (others !== undefined) yield { held, others, groups };
  }
}

/**
 * What a rule's trust depends on, as a name: how well its positions do in the other cells of the layout, how many groups bear
 * it out, and whether any is against it. Undefined where too many are against it.
 */
export function evidenceClass(
  choice: JudgedChoice,
  cell: JudgedCell,
  { agreeing, groups }: Majority,
): string | undefined {
  const against = groups - agreeing;
  if (against > groups * NEARLY_PURE) return undefined;
  const count = choice.foretold.count - cell.foretold.count;
  const right = choice.foretold.right - cell.foretold.right;
  const share = right / Math.max(1, count);
  return [classOf(SAMPLES, count), classOf(SHARES, share), classOf(GROUPS, groups), against > 0].join(' ');
}

/** Of twenty groups one may be against: that much noise is in any labels. */
const NEARLY_PURE = 0.05;
/** Lower ends of classes; they only have to part what behaves differently, and the bound decides in each. */
const SAMPLES = [0, 10, 30];
const SHARES = [0, 0.8, 0.9, 0.95, 0.98];
const GROUPS = [1, 2, 3, 4, 5, 7, 10, 16];

function classOf(ends: readonly number[], value: number): number {
  return ends.findLastIndex((end) => value >= end);
}
