import { type Cell, type Cells, cellsOf, type PositionChoice } from './cells.ts';
import type { LearnedField } from './fields.ts';
import { sameValue } from './fields.ts';
import type { Observation } from './observe.ts';
import { majoritiesOf, type Majority } from './tally.ts';

/** A cell with what its groups foretell of one another. */
export interface JudgedCell extends Cell {
  /** The value of most of its groups, and their number. */
  majority: string;
  agreeing: number;
  /** The number of held-out groups that the others predicted, and how many of them rightly. */
  foretold: number;
  right: number;
}

/** A choice of positions in a layout: its cells, and how well it parts one value from another there. */
export interface JudgedChoice extends Pick<Cells, 'cellOf'> {
  choice: PositionChoice;
  cells: JudgedCell[];
  foretold: number;
  right: number;
}

/** Scores a choice of positions by holding out each group in turn. */
export function judgeChoice(
  observations: readonly Observation[],
  field: LearnedField,
  choice: PositionChoice,
): JudgedChoice {
  const { cells, cellOf } = cellsOf(observations, field, choice);
  const judged: JudgedChoice = {
    choice,
    cells: cells.map((cell) => judgeCell(field, cell)),
    cellOf,
    foretold: 0,
    right: 0,
  };
  for (const { foretold, right } of judged.cells) {
    judged.foretold += foretold;
    judged.right += right;
  }
  return judged;
}

function judgeCell(field: LearnedField, cell: Cell): JudgedCell {
  const { value, groups, counts, lastGroup } = cell;
  if (counts === undefined) {
    const foretold = groups > 1 ? groups : 0;
    return { value, groups, counts, lastGroup, majority: value, agreeing: groups, foretold, right: foretold };
  }
  const [whole, ...without] = majoritiesOf(field, counts);
  const { value: majority, agreeing } = whole ?? { value, agreeing: 0 };
  const judged = { value, groups, counts, lastGroup, majority, agreeing, foretold: 0, right: 0 };
  let index = 0;
  for (const [held, same] of counts) {
    const others = without[index++];
    if (others === undefined) continue;
    judged.foretold += same;
    if (sameValue(field, others.value, held)) judged.right += same;
  }
  return judged;
}

/**
 * Holds out each value of a cell once: the value of the others, and the number of groups for which it is the same
 * trial.
 */
export function heldOut(
  field: LearnedField,
  { value, groups, counts }: Cell,
): { held: string; others: Majority; groups: number }[] {
  if (counts === undefined) {
    const others = { value, agreeing: groups - 1, groups: groups - 1 };
    return groups > 1 ? [{ held: value, others, groups }] : [];
  }
  const [, ...others] = majoritiesOf(field, counts);
  return [...counts].flatMap(([held, same], index) => {
    const own = others[index];
    return own === undefined ? [] : [{ held, others: own, groups: same }];
  });
}

/**
 * Returns the class of a rule's evidence, as a number: the success of its positions in the other cells of the layout,
 * the number of groups for it, and whether any is against it. Undefined if too many are against it.
 */
export function evidenceClass(
  choice: JudgedChoice,
  cell: JudgedCell,
  { agreeing, groups }: Pick<Majority, 'agreeing' | 'groups'>,
): number | undefined {
  const against = groups - agreeing;
  if (against > groups * NEARLY_PURE) return undefined;
  const count = choice.foretold - cell.foretold;
  const share = (choice.right - cell.right) / Math.max(1, count);
  const parts = [
    classOf(SAMPLES, count),
    classOf(SHARES, share),
    classOf(GROUPS, groups),
    against > 0 ? 1 : 0,
  ] as const;
  return ((parts[0] * CLASSES + parts[1]) * CLASSES + parts[2]) * CLASSES + parts[3];
}

/** The share of groups that may be against: one of twenty, the noise of any labels. */
const NEARLY_PURE = 0.05;
/** Lower ends of classes; they only have to part what behaves differently, and the bound decides in each. */
const SAMPLES = [0, 10, 30];
const SHARES = [0, 0.8, 0.9, 0.95, 0.98];
const GROUPS = [1, 2, 3, 4, 5, 7, 10, 16];
/** More than any of them has. */
const CLASSES = 10;

function classOf(ends: readonly number[], value: number): number {
  let at = ends.length - 1;
  while (at > 0 && value < (ends[at] as number)) at--;
  return at;
}
