import { Calibration, type EvidenceCounts, sampleOf } from './calibration.ts';
import type { LearnedField } from './fields.ts';
import type { LayoutObservations } from './observe.ts';
import { prove, type Proven } from './proof.ts';

/** What rules may be made of, as it follows from the layouts that were tried. Threads can pass it on. */
export interface Trust {
  counts: EvidenceCounts;
  /** How many groups a rule of each field needs, and how right such rules were. */
  proven: Proven[];
}

/** Tries rules on the layouts of a sample, or of samples that threads took of theirs. */
export function trustOf(samples: readonly LayoutObservations[]): Trust {
  const sample = sampleOf(samples.toSorted((a, b) => (a.layout < b.layout ? -1 : 1)));
  const calibration = Calibration.of(sample);
  return { counts: calibration.counts, proven: prove(sample, calibration) };
}

/** The fewest groups that a rule of a field needs; no number is enough where none may answer. */
export function fewestGroups({ proven }: Trust): (field: LearnedField) => number {
  const fewest = new Map(proven.map((one) => [one.field, one.fewestGroups ?? Infinity]));
  return (field) => fewest.get(field) ?? Infinity;
}
