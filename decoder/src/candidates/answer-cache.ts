import { reportFor } from '../decode/cached-report.ts';
import type { Positions } from '../decode/positions.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { CandidatesAnswer } from './candidates.ts';
import type { Hints } from './hints.ts';

/** The number of answers that are cached, some kilobytes each; beyond that, all are dropped and made again. */
const MOST_ANSWERS = 4_000;

/** The characters before the serial number. */
const KEYED = 12;

/**
 * Keeps answers by the characters before the serial number: people ask about one vehicle again and again, with one hint
 * more.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CandidatesAnswer>();
  readonly #positions: Positions;

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Returns the answer for a VIN that differs in its serial number only, which does not count. */
  of(vin: string, hints: Hints, year: number): CandidatesAnswer | undefined {
    const known = this.#answers.get(keyOf(vin, hints, year));
    return known === undefined ? undefined : copyOf(vin, known);
  }

  /** Keeps an answer unless it depends on the VIN's serial number; gives a copy that its caller may change. */
  keep(
    { codes, bounds }: VinCodes,
    hints: Hints,
    year: number,
    answer: CandidatesAnswer,
    vin: string,
  ): CandidatesAnswer {
    if (bounds.length > 0 || this.#positions.of(codes) >>> KEYED !== 0) return answer;
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.clear();
    this.#answers.set(keyOf(vin, hints, year), { ...answer, report: { ...answer.report } });
    return copyOf(vin, answer);
  }
}

/**
 * Returns the cache key. The check digit, right or wrong, depends on the serial number; which of a masked VIN's
 * characters are known decides, too.
 */
function keyOf(vin: string, hints: Hints, year: number): string {
  const start = vin.includes('*') ? vin : `${vin.slice(0, KEYED)} ${hasValidCheckDigit(vin)}`;
  return `${start} ${year} ${JSON.stringify(hints)}`;
}

function copyOf(vin: string, { report, open, engines, conflicts }: CandidatesAnswer): CandidatesAnswer {
  return {
    report: reportFor(vin, report),
    open: open.map(({ field, candidates, settledBy }) => ({
      field,
      candidates: [...candidates],
      settledBy: [...settledBy],
    })),
    engines: engines.map((engine) => ({ ...engine })),
    conflicts: [...conflicts],
  };
}
