import { Calibration, type EvidenceCounts, sampleOf } from './calibration.ts';
import type { LearnedField } from './fields.ts';
import type { LayoutObservations } from './observe.ts';
import { crossValidate, type RuleScore } from './cross-validation.ts';
import { addTried, carries, total, type WindowCounts } from './windows.ts';

/**
 * The classes of evidence that rules may be made from, according to the layouts that were tried. Threads can pass it
 * on.
 */
export interface LearnConfidence {
  counts: EvidenceCounts;
  /** Trials of serial numbers. */
  windows: WindowCounts;
  /** The number of groups that a rule of each field needs, and the share of such rules that were right. */
  proven: RuleScore[];
}

/** The data of a learner that is tried together with that of others. */
export interface Sample {
  layouts: LayoutObservations[];
  windows: WindowCounts;
}

/** Tries rules on the layouts of a sample, or of the samples of several learners. */
export function learnConfidenceOf(samples: readonly Sample[]): LearnConfidence {
  const layouts = samples.flatMap((one) => one.layouts).toSorted((a, b) => (a.layout < b.layout ? -1 : 1));
  const windows: WindowCounts = new Map();
  for (const one of samples) for (const [evidence, tried] of one.windows) addTried(windows, evidence, tried);
  const sample = sampleOf(layouts);
  const calibration = Calibration.of(sample);
  return { counts: calibration.counts, windows, proven: [...crossValidate(sample, calibration), provenYears(windows)] };
}

/** Returns the share of right years from serial numbers: for the classes that answer, or for all if none does. */
function provenYears(windows: WindowCounts): RuleScore {
  const carried = [...windows.values()].filter(carries);
  const answers = carried.length > 0;
  return {
    field: 'modelYear',
    fewestGroups: answers ? FEWEST_GROUPS : undefined,
    ...total(answers ? carried : [...windows.values()]),
  };
}

/** A window has cars of as many groups at least. */
const FEWEST_GROUPS = 2;

/** Returns the fewest groups that a rule of a field needs; no number is enough where none may answer. */
export function fewestGroups({ proven }: LearnConfidence): (field: LearnedField) => number {
  const fewest = new Map<string, number>(proven.map((one) => [one.field, one.fewestGroups ?? Infinity]));
  return (field) => fewest.get(field) ?? Infinity;
}
