import { lowerBound } from '../labels/bound.ts';
import { choicesFor } from './cells.ts';
import { evidenceClass, heldOut, judgeChoice } from './evidence.ts';
import { LEARNED_FIELDS, type LearnedField, requiredShare, sameValue } from './fields.ts';
import type { LayoutObservations } from './observe.ts';

/** Observations that a calibration reads at most: what it counts is shares, and more observations change them little. */
const SAMPLE_OBSERVATIONS = 8_000;

/** One group alone may be a mistaken label, whatever it foretells. */
const FEWEST_GROUPS = 2;

/** Of each field and class of evidence: how often rules spoke about groups that they were not made of, and how often rightly. */
export type EvidenceCounts = Map<LearnedField, Map<number, { right: number; count: number }>>;

/**
 * How right a rule of each class of evidence was about groups that it was not made of, over all layouts: from that follows how
 * many groups, and how pure a cell, a rule needs.
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
        const labelled = observations.filter(({ reading }) => reading[field] !== undefined);
        if (labelled.length === 0) continue;
        for (const choice of choicesFor(field, labelled)) calibration.#add(field, judgeChoice(labelled, field, choice));
      }
    }
    return calibration;
  }

  /** Whether what these groups say may answer: the bound of their class of evidence carries what the field requires. */
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

/** Whole layouts, the smaller ones first, as far as the limit allows: small ones are many and differ. */
export function sampleOf(layouts: readonly LayoutObservations[]): LayoutObservations[] {
  let room = SAMPLE_OBSERVATIONS;
  const bySize = layouts.toSorted((a, b) => a.observations.length - b.observations.length);
  return bySize.filter(({ observations }) => (room -= observations.length) >= 0);
}
