import { lowerBound } from '../../bound.ts';
import { choicesFor } from './cells.ts';
import { evidenceClass, heldOut, judgeChoice } from './evidence.ts';
import { LEARNED_FIELDS, type LearnedField, requiredShare, sameValue } from './fields.ts';
import type { LayoutObservations } from './observe.ts';

/**
 * The largest number of observations that a calibration reads: it counts shares, and more observations change them
 * little.
 */
const SAMPLE_OBSERVATIONS = 8_000;

/** The smallest number of groups: one alone may be a mistaken label, whatever it predicts. */
const FEWEST_GROUPS = 2;

/**
 * Counts for each field and class of evidence: how often rules answered for groups that they were not made from, and
 * how often rightly.
 */
export type EvidenceCounts = Map<LearnedField, Map<number, { right: number; count: number }>>;

/**
 * Measures how right a rule of each class of evidence was about groups that it was not made from, over all layouts: the
 * number of groups, and the purity of a cell, that a rule needs follow from it.
 */
export class Calibration {
  readonly counts: EvidenceCounts;

  constructor(counts: EvidenceCounts = new Map()) {
    this.counts = counts;
  }

  /** Holds out every group of the layouts in turn. */
  static of(layouts: readonly LayoutObservations[]): Calibration {
    const calibration = new Calibration();
    for (const { observations } of layouts) {
      for (const field of LEARNED_FIELDS) {
        const labeled = observations.filter(({ reading }) => reading[field] !== undefined);
        if (labeled.length === 0) continue;
        for (const choice of choicesFor(field, labeled)) calibration.#add(field, judgeChoice(labeled, field, choice));
      }
    }
    return calibration;
  }

  /** Returns true if these groups may answer: the bound of their class of evidence reaches the field's requirement. */
  carries(field: LearnedField, evidence: number | undefined, groups: number): boolean {
    if (evidence === undefined || groups < FEWEST_GROUPS) return false;
    const { right, count } = this.counts.get(field)?.get(evidence) ?? { right: 0, count: 0 };
    return lowerBound(right, count) >= requiredShare(field);
  }

  #add(field: LearnedField, judged: ReturnType<typeof judgeChoice>): void {
    const classes = this.counts.get(field) ?? new Map<number, { right: number; count: number }>();
    this.counts.set(field, classes);
    for (const cell of judged.cells) {
      for (const { held, others, groups } of heldOut(field, cell)) {
        const evidence = evidenceClass(judged, cell, others);
        if (evidence === undefined) continue;
        const foretold = classes.get(evidence) ?? { right: 0, count: 0 };
        classes.set(evidence, foretold);
        foretold.count += groups;
        if (sameValue(field, others.value, held)) foretold.right += groups;
      }
    }
  }
}

/** Returns whole layouts, the smaller ones first, as far as the limit allows: small ones are many and differ. */
export function sampleOf(layouts: readonly LayoutObservations[]): LayoutObservations[] {
  let room = SAMPLE_OBSERVATIONS;
  const bySize = layouts.toSorted((a, b) => a.observations.length - b.observations.length);
  return bySize.filter(({ observations }) => (room -= observations.length) >= 0);
}
