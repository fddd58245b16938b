import { modelsAgree } from '../../labels/words.ts';
import { lowerBound, upperBound } from '../../bound.ts';
import type { Calibration } from './calibration.ts';
import { LEARNED_FIELDS, type LearnedField, requiredShare, sameValue } from './fields.ts';
import type { LayoutObservations, Observation } from './observe.ts';
import { type LearnedRule, matchesRule, searchLayout } from './search.ts';

const FOLDS = 3;
const WMI_LENGTH = 3;
/** Rules of more groups than this count as equal: both are well confirmed. */
const MOST_GROUPS = 20;

/** Counts how often rules were right about cars that they were not made from. */
export interface RuleScore {
  field: LearnedField | 'modelYear';
  /** The fewest independent groups with which a rule may answer; undefined: none may. */
  fewestGroups: number | undefined;
  /** The right answers of rules with at least that many groups, or of all if none may answer. */
  right: number;
  count: number;
}

/**
 * Tests the search itself, for among many positions some fit by chance: it runs on two thirds of the groups, and its
 * answers for the last third are counted. The number of groups that a rule needs follows from the counts.
 */
export function crossValidate(sample: readonly LayoutObservations[], calibration: Calibration): RuleScore[] {
  const trials = new Map(LEARNED_FIELDS.map((field) => [field, emptyTrials()]));
  for (const { layout, observations } of sample) {
    for (let fold = 0; fold < FOLDS; fold++) {
      const isHeld = ({ group }: Observation): boolean => group % FOLDS === fold;
      const others = observations.filter((one) => !isHeld(one));
      const rules = searchLayout({ layout, observations: others }, calibration, 'all');
      const byField = Map.groupBy(rules, ({ field }) => field);
      for (const one of observations.filter(isHeld)) {
        for (const [field, own] of byField) tryOn(trials.get(field) ?? emptyTrials(), own, one);
      }
    }
  }
  return [...trials].map(([field, own]) => fewest(field, own));
}

interface Trials {
  /** Counts by the number of groups that confirmed the rule. */
  byGroups: { right: number; count: number }[];
  /** Counts for cars that the catalog leaves open: they may be the harder ones. */
  openByGroups: { right: number; count: number }[];
}

function emptyTrials(): Trials {
  return { byGroups: emptyTallies(), openByGroups: emptyTallies() };
}

function emptyTallies(): Trials['byGroups'] {
  return Array.from({ length: MOST_GROUPS + 1 }, () => ({ right: 0, count: 0 }));
}

function tryOn(trials: Trials, rules: readonly LearnedRule[], one: Observation): void {
  const rule = answerOf(rules, one);
  const label = rule === undefined ? undefined : one.reading[rule.field];
  if (rule === undefined || label === undefined) return;
  const right = agrees(rule, label) ? 1 : 0;
  const groups = Math.min(rule.groups, MOST_GROUPS);
  const isOpen = one.standing[rule.field] === 'open';
  for (const tally of [trials.byGroups[groups], isOpen ? trials.openByGroups[groups] : undefined]) {
    if (tally === undefined) continue;
    tally.count++;
    tally.right += right;
  }
}

/** Returns true if a label agrees with a rule. It may be more precise about a model: "Onix Plus" for the Onix. */
function agrees({ field, value, make }: LearnedRule, label: string): boolean {
  return field === 'model' ? modelsAgree(make ?? '', label, value) : sameValue(field, value, label);
}

/**
 * Returns the rule that would answer: the most specific that matches, unless an equally specific one contradicts it.
 */
function answerOf(rules: readonly LearnedRule[], one: Observation): LearnedRule | undefined {
  let best: LearnedRule | undefined;
  let split = false;
  for (const rule of rules) {
    if (!matchesRule(rule, one)) continue;
    const order = best === undefined ? 1 : fixedBy(rule) - fixedBy(best);
    if (order > 0) [best, split] = [rule, false];
    else if (order === 0 && best !== undefined) split ||= !sameValue(rule.field, rule.value, best.value);
  }
  return split ? undefined : best;
}

function fixedBy({ positions, wmi }: LearnedRule): number {
  return positions.length + (wmi === undefined ? 0 : WMI_LENGTH);
}

/** Returns the smallest number of groups from which on the lower bound reaches the field's requirement. */
function fewest(field: LearnedField, { byGroups, openByGroups }: Trials): RuleScore {
  const required = requiredShare(field);
  const total = { right: 0, count: 0 };
  const open = { right: 0, count: 0 };
  let found: RuleScore | undefined;
  for (const [groups, { right, count }] of [...byGroups.entries()].toReversed()) {
    total.right += right;
    total.count += count;
    open.right += openByGroups[groups]?.right ?? 0;
    open.count += openByGroups[groups]?.count ?? 0;
    // The fields that the catalog leaves open may be those that no position determines.
    if (open.right < open.count * required) continue;
    // Rules of so few groups may not hide behind those of more.
    const alone = count === 0 || upperBound(right, count) >= required;
    if (alone && lowerBound(total.right, total.count) >= required) found = { field, fewestGroups: groups, ...total };
  }
  return found ?? { field, fewestGroups: undefined, ...total };
}
