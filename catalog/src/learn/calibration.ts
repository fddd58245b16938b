import { lowerBound } from '../accuracy/bound.ts';
import { choicesFor } from './cells.ts';
import { evidenceClass, heldOut, judgeChoice } from './evidence.ts';
import { LEARNED_FIELDS, type LearnedField, requiredShare, sameValue } from './fields.ts';
import type { LayoutObservations } from './observe.ts';

/** Observations that a calibration reads at most: what it counts is shares, and more observations change them little. */
const SAMPLE_OBSERVATIONS = 8_000;

/** One group alone cannot be told from a mistaken label, whatever it foretells. */
const FEWEST_GROUPS = 2;

/**
 * How right a rule of each class of evidence was about groups that it was not made of, over all layouts: from that follows how
 * many groups, and how pure a cell, a rule needs.
 */
export class Calibration {
  readonly #classes = new Map<LearnedField, Map<number, { right: number; count: number }>>();

  /** Holds out every group of the layouts in turn. */
  constructor(layouts: readonly LayoutObservations[]) {
    for (const { observations } of sampleOf(layouts)) {
      for (const field of LEARNED_FIELDS) {
        const labelled = observations.filter(({ reading }) => reading[field] !== undefined);
        if (labelled.length === 0) continue;
        for (const choice of choicesFor(field, labelled)) this.#add(field, judgeChoice(labelled, field, choice));
      }
    }
  }

  /** Whether what these groups say may answer: the bound of their class of evidence carries what the field requires. */
  carries(field: LearnedField, evidence: number | undefined, groups: number): boolean {
    if (evidence === undefined || groups < FEWEST_GROUPS) return false;
    const { right, count } = this.#classes.get(field)?.get(evidence) ?? { right: 0, count: 0 };
    return lowerBound(right, count) >= requiredShare(field);
  }

  #add(field: LearnedField, judged: ReturnType<typeof judgeChoice>): void {
    const classes = this.#classes.get(field) ?? new Map<number, { right: number; count: number }>();
    this.#classes.set(field, classes);
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
