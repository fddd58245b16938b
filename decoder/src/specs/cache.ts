import { dropContradictedCode } from '../report/engine-evidence.ts';
import { type Draft, emptyDraft, sameDraft } from '../report/draft.ts';
import { engineLine } from '../report/engine-line.ts';
import { CODES } from '../vpic/characters.ts';
import { type SpecAnswer, type SpecJoin, writeAnswers } from './join.ts';
import type { SpecMarket } from './tables.ts';

/** So many variants are kept, some hundred bytes each; beyond, all are dropped and joined anew. */
const MOST_VARIANTS = 20_000;

const NONE: readonly SpecAnswer[] = [];

/** A draft before and after the tables filled it. */
interface Variant {
  market: SpecMarket | undefined;
  /** The draft as it was read: VINs that start alike mostly read alike, but serial numbers may part them. */
  read: Draft;
  full: Draft;
  answers: readonly SpecAnswer[];
}

/** Fills drafts from the tables, each variant once: the same few thousand variants come again and again. */
export class SpecCache {
  readonly #join: SpecJoin;
  readonly #variants = new Map<number, Variant>();

  constructor(join: SpecJoin) {
    this.#join = join;
  }

  /** Writes what the tables settle, and the engine's line; gives what was written. `codes`: the VIN's characters as numbers. */
  fill(draft: Draft, market: SpecMarket | undefined, codes: Uint8Array): readonly SpecAnswer[] {
    const key = keyOf(codes);
    let variant = this.#variants.get(key);
    if (variant === undefined || variant.market !== market || !sameDraft(variant.read, draft)) {
      if (this.#variants.size >= MOST_VARIANTS) this.#variants.clear();
      variant = this.#fill(draft, market, codes);
      this.#variants.set(key, variant);
    }
    Object.assign(draft, variant.full);
    return variant.answers;
  }

  #fill(draft: Draft, market: SpecMarket | undefined, codes: Uint8Array): Variant {
    const full = { ...emptyDraft(), ...draft };
    if (market !== undefined && this.#join.contradictsCylinders(draft, market, codes)) {
      full.cylinders = 0;
      full.configuration = 0;
    }
    const answers = market === undefined ? NONE : this.#join.answers(full, market, codes);
    writeAnswers(answers, full);
    dropContradictedCode(full);
    full.engineLine = engineLine(full);
    return { market, read: { ...draft }, full, answers };
  }
}

/** Positions 1 to 8, 10 and 11 as one number: 36 to the tenth stays below 2 to the 53rd. */
function keyOf(codes: Uint8Array): number {
  let high = 0;
  let low = 0;
  for (let at = 0; at < 5; at++) high = high * CODES + (codes[at] as number);
  for (let at = 5; at < 8; at++) low = low * CODES + (codes[at] as number);
  low = (low * CODES + (codes[9] as number)) * CODES + (codes[10] as number);
  return high * (CODES * CODES * CODES * CODES * CODES) + low;
}
