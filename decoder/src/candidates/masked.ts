import type { VinReader } from '../decode/reader.ts';
import type { Scratch } from '../decode/reading.ts';
import { type Draft, emptyDraft, sameDraft } from '../report/draft.ts';
import { engineLine } from '../report/engine-line.ts';
import type { SpecMarket } from '../specs/tables.ts';
import { completionsOf, gapsOf, withEachCharacter } from './completions.ts';
import { contradicted, marketOf } from './hinted-fields.ts';
import type { Hints } from './hints.ts';

/** More gaps in the description of the vehicle are more readings than can be compared: they leave the make alone. */
const MOST_GAPS = 1;

/** Tables of specifications ask for characters up to position 9. */
const DESCRIBED = 9;

/** What a masked VIN tells. */
export interface MaskReading {
  /** What all VINs settle that it may be. */
  draft: Draft;
  /** What each of them settles. */
  possible: readonly Draft[];
  /** The market of all of them; undefined where they differ. */
  market: SpecMarket | undefined;
  /** A VIN of the market that was asked for, or the masked one. */
  example: string;
}

/** Reads masked VINs: what depends on characters behind the mask stays open. */
export class MaskReader {
  readonly #reader: VinReader;

  constructor(reader: VinReader) {
    this.#reader = reader;
  }

  /** @param hints those that VINs contradict, or that are of another market, are not compared, if others are left. */
  read(masked: string, hints: Hints, year: number, scratch: Scratch): MaskReading {
    const market = marketOf(hints);
    const all = this.#completions(masked, year, scratch);
    const near = preferred(all, (one) => market === undefined || one.market === market);
    const compared = preferred(near, ({ draft }) => contradicted(draft, hints).length === 0);
    const drafts = compared.map(({ draft }) => draft);
    const markets = new Set(compared.map((one) => one.market));
    const agreed = agreedDraft(drafts);
    const isVague = gapsOf(masked).length > MOST_GAPS;
    return {
      draft: isVague ? this.#makeAlone(agreed, masked, year, scratch) : agreed,
      possible: isVague ? [] : drafts,
      market: markets.size === 1 ? compared[0]?.market : undefined,
      example: (market === 'north-america' ? compared : []).find((one) => one.market === market)?.text ?? masked,
    };
  }

  /** VINs that the masked one may be: one for each reading. */
  #completions(masked: string, year: number, scratch: Scratch): Completion[] {
    scratch.codes.read(masked);
    const texts = completionsOf(masked, this.#reader.fillingsOf(scratch.codes));
    const found: Completion[] = [];
    let asked = 0;
    for (const text of texts) {
      scratch.codes.read(text);
      this.#read(text, year, scratch, found);
      asked |= scratch.codes.asked;
    }
    // NHTSA's tables ask for single characters of some makers' serial numbers.
    for (const text of withEachCharacter(masked, asked)) {
      scratch.codes.read(text);
      this.#read(text, year, scratch, found);
    }
    return found;
  }

  /** Adds the reading of a VIN unless another reads alike. */
  #read(text: string, year: number, scratch: Scratch, found: Completion[]): void {
    const reading = this.#reader.read(text, year, scratch);
    const { draft, market } = reading;
    const start = text.slice(0, DESCRIBED);
    const isAlike = (known: Completion): boolean =>
      known.market === market && known.text.startsWith(start) && sameDraft(known.read, draft);
    if (found.some(isAlike)) return;
    const read = { ...draft };
    this.#reader.complete(reading);
    found.push({ text, market, read, draft });
  }

  #makeAlone({ make }: Draft, masked: string, year: number, scratch: Scratch): Draft {
    scratch.codes.read(masked);
    const isSettled = this.#reader.isOnlyMake(make, masked, year, scratch);
    return { ...emptyDraft(), make: isSettled ? make : '' };
  }
}

/** A VIN that the masked one may be, and what it says. */
interface Completion {
  text: string;
  market: SpecMarket | undefined;
  /** What its own characters say. */
  read: Draft;
  /** The same with what tables of specifications tell. */
  draft: Draft;
}

function preferred(all: readonly Completion[], passes: (one: Completion) => boolean): readonly Completion[] {
  const found = all.filter(passes);
  return found.length > 0 ? found : all;
}

/** What all drafts settle alike. */
function agreedDraft(drafts: readonly Draft[]): Draft {
  const agreed = emptyDraft();
  const [first = agreed, ...others] = drafts;
  for (const name of Object.keys(agreed) as (keyof Draft)[]) {
    const text = String(first[name]);
    if (others.every((other) => String(other[name]) === text)) Object.assign(agreed, { [name]: first[name] });
  }
  agreed.engineLine = engineLine(agreed);
  return agreed;
}
