import { compareWithHints, type Hints } from '../candidates/hints.ts';
import { withoutSeparators } from '../vin/form.ts';
import { type Evidence, evidenceOf, type Judge } from './evidence.ts';
import { COST } from './mistakes.ts';
import { type Repair, type Change, Mistyped } from './search.ts';

/** A VIN that a mistyped one was likely meant to be. */
export interface Suggestion {
  vin: string;
  /** The VIN's evidence less the cost of its mistakes; ten points are ten times as likely. Equal scores are a tie. */
  score: number;
  /** The changes, in the order of positions. */
  changes: Change[];
  /** The reasons for the VIN, as sentences for people. */
  reasons: string[];
}

/** More would not help a person who compares them with a document. */
const MOST_SUGGESTIONS = 5;
/** A hundred times less likely than the best: not worth a person's look. */
const FAR_BEHIND = 20;
/** The points by which a VIN must exceed the text for each mistake: six times as plausible. */
const BETTER_BY = 8;
/**
 * The same without a check digit: a vehicle missing from the catalog is not a mistake, so only a newly found make
 * counts.
 */
const BETTER_WITHOUT_CHECK_DIGIT_BY = 20;
/**
 * The number of repairs that are scored, at about 15 microseconds each; likely mistakes come first, so the rest
 * would rank low.
 */
const MOST_JUDGED = 600;
/** Half of the vehicles agree with a hint by chance; who knows a vehicle errs on it once in a hundred times. */
const HINT_AGREED = 3;
const HINT_CONTRADICTED = 20;
const LIKELY_MISTAKE = Math.max(COST.lookAlike, COST.transposition);
const SHORTEST = 16;
const LONGEST = 18;

/** Repairs that are scored in one step. */
const STEP = 10;

/**
 * Returns the VINs that a text was likely meant to be, best first, at most five; none if the text is consistent as it
 * is, or if nothing near it is more so. Never throws, and never returns the text itself.
 */
export function suggest(judge: Judge, text: string, hints: Hints = {}): Suggestion[] {
  const search = suggestInSteps(judge, text, hints);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Yields in steps of some tenths of a millisecond, and returns the same: between them the decoder may be used for other
 * work. A text that is far from any VIN is answered in the first one.
 */
export function* suggestInSteps(
  judge: Judge,
  text: string,
  hints: Hints = {},
): Generator<undefined, Suggestion[], undefined> {
  const written = [...(withoutSeparators(text) ?? '')];
  if (written.length < SHORTEST || written.length > LONGEST) return [];
  yield;
  const mistyped = new Mistyped(written);
  const own = mistyped.asWritten === undefined ? undefined : evidenceOf(judge, mistyped.asWritten);
  if (own?.sound === true && own.checkDigit === 'right') return [];
  const seen = new Set<string>(mistyped.asWritten === undefined ? [] : [mistyped.asWritten]);
  const rated = yield* rate(judge, mistyped.single(), own, seen, hints);
  if (!rated.some(({ evidence }) => evidence.sound) && own?.sound !== true) {
    const repairs = yield* mistyped.double();
    rated.push(...(yield* rate(judge, repairs, own, seen, hints)));
  }
  const ranked = rated.toSorted((a, b) => b.score - a.score || (a.repair.vin < b.repair.vin ? -1 : 1));
  const leastScore = (ranked[0]?.score ?? 0) - FAR_BEHIND;
  return ranked
    .filter(({ score }) => score > leastScore)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ repair, evidence, score }) => ({
      vin: repair.vin,
      score,
      changes: mistyped.changesOf(repair),
      reasons: evidence.reasons,
    }));
}

interface Rated {
  repair: Repair;
  evidence: Evidence;
  score: number;
}

function* rate(
  judge: Judge,
  repairs: readonly Repair[],
  own: Evidence | undefined,
  seen: Set<string>,
  hints: Hints,
): Generator<undefined, Rated[], undefined> {
  const rated: Rated[] = [];
  for (const [index, repair] of repairs.slice(0, MOST_JUDGED).entries()) {
    if (index % STEP === 0) yield;
    if (seen.has(repair.vin)) continue;
    seen.add(repair.vin);
    const evidence = evidenceOf(judge, repair.vin);
    if (!evidence.identified || (own !== undefined && !isBetter(evidence, own, repair))) continue;
    const hinted = pointsOfHints(judge, repair.vin, hints);
    rated.push({ repair, evidence, score: evidence.points + hinted - repair.cost });
  }
  return rated;
}

function pointsOfHints(judge: Judge, vin: string, hints: Hints): number {
  const { conflicts, agreed } = compareWithHints(judge.decode(vin), hints);
  return agreed * HINT_AGREED - conflicts.length * HINT_CONTRADICTED;
}

function isBetter(evidence: Evidence, own: Evidence, { edits, cost }: Repair): boolean {
  const gain = evidence.points - own.points;
  if (evidence.checkDigit !== 'right') return gain >= BETTER_WITHOUT_CHECK_DIGIT_BY;
  // Without a market's rule the check digit is right by chance in one of eleven: only a likely mistake may build on it.
  if (own.sound && cost > LIKELY_MISTAKE) return false;
  if (own.identified && own.checkDigit !== 'wrong' && evidence.points < cost) return false;
  return gain >= BETTER_BY * edits.length;
}
