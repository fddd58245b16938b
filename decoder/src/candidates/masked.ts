import type { VinReader } from '../decode/reader.ts';
import type { Scratch } from '../decode/reading.ts';
import { type Draft, emptyDraft, sameDraft } from '../report/draft.ts';
import { engineLine } from '../report/engine-line.ts';
import type { SpecMarket } from '../specs/table.ts';
import { completionsOf, gapsOf, withEachCharacter } from './completions.ts';
import { contradicted, marketOf, MOST_YEARS_AHEAD } from './hinted-fields.ts';
import type { Hints } from './hints.ts';

/** More gaps in the description of the vehicle are more readings than can be compared: they leave the make alone. */
const MOST_GAPS = 1;

/**
 * The number of VINs that are read for one masked VIN, for any mask, and of drafts that are completed: a few
 * milliseconds.
 */
const MOST_VINS = 800;
const MOST_READINGS = 40;

/** The values of a masked VIN. */
export interface MaskReading {
  /** The values common to all VINs that it may be. */
  draft: Draft;
  /** The values of each of them; none if they are too many to compare. */
  possible: readonly Draft[];
  /** The market of all of them; undefined where they differ. */
  market: SpecMarket | undefined;
  /** A VIN of the market that was asked for, or the masked one. */
  example: string;
}

/** Reads masked VINs: what depends on characters behind the mask stays open. */
export class MaskReader {
  readonly #reader: VinReader;
  /** The last masked VIN with what it may be: it is read again when hints contradict it. */
  #last: { masked: string; year: number; completions: readonly Completion[] | undefined } | undefined;

  constructor(reader: VinReader) {
    this.#reader = reader;
  }

  /**
   * Reads a masked VIN. @param hints VINs that contradict them, or that are of another market, are not compared, if
   * others are left.
   */
  read(masked: string, hints: Hints, year: number, scratch: Scratch): MaskReading {
    if (this.#last?.masked !== masked || this.#last.year !== year) {
      const completions = gapsOf(masked).length > MOST_GAPS ? undefined : this.#completions(masked, year, scratch);
      this.#last = { masked, year, completions };
    }
    const { completions: all } = this.#last;
    if (all === undefined) return this.#readMake(masked, year, scratch);
    const market = marketOf(hints);
    // Characters with which a VIN has no model are of no known vehicle, if others have one: nothing contradicts them.
    const known = preferred(all, ({ draft }) => draft.model !== '');
    const near = preferred(known, (one) => market === undefined || one.market === market);
    const compared = preferred(near, ({ draft }) => contradicted(draft, hints, year + MOST_YEARS_AHEAD).length === 0);
    const drafts = compared.map(({ draft }) => draft);
    const markets = new Set(compared.map((one) => one.market));
    return {
      draft: agreedDraft(drafts),
      possible: drafts,
      market: markets.size === 1 ? compared[0]?.market : undefined,
      example: (market === 'north-america' ? compared : []).find((one) => one.market === market)?.text ?? masked,
    };
  }

  /**
   * Reads the VINs that the masked one may be: one for each set of values; undefined if they are too many to compare.
   */
  #completions(masked: string, year: number, scratch: Scratch): Completion[] | undefined {
    scratch.codes.read(masked);
    const fillings = this.#reader.fillingsOf(scratch.codes);
    if (fillings === undefined) return undefined;
    const texts = completionsOf(masked, fillings);
    const found: Completion[] = [];
    if (texts.length > MOST_VINS) return undefined;
    for (const text of texts) if (!this.#read(text, year, scratch, found)) return undefined;
    // Rows of some makers look at single characters of the serial number.
    const others = withEachCharacter(masked, this.#reader.positions.of(scratch.codes.codes));
    if (texts.length + others.length > MOST_VINS) return undefined;
    for (const text of others) if (!this.#read(text, year, scratch, found)) return undefined;
    return found;
  }

  /** Adds the reading of a VIN unless another reads alike. @returns false: they are too many. */
  #read(text: string, year: number, scratch: Scratch, found: Completion[]): boolean {
    scratch.codes.read(text);
    const reading = this.#reader.read(text, year, scratch);
    const { draft, market } = reading;
    const characters = market === undefined ? '' : this.#reader.specs.charactersOf(draft, market, scratch.codes);
    const isAlike = (known: Completion): boolean =>
      known.market === market && known.characters === characters && sameDraft(known.read, draft);
    if (found.some(isAlike)) return true;
    if (found.length >= MOST_READINGS) return false;
    const read = { ...draft };
    this.#reader.complete(reading);
    found.push({ text, market, characters, read, draft });
    return true;
  }

  /** Returns the make, if all VINs that a masked one may be have the same. */
  #readMake(masked: string, year: number, scratch: Scratch): MaskReading {
    scratch.codes.read(masked);
    const { draft, market } = this.#reader.read(masked, year, scratch);
    const { make } = draft;
    const isSettled = this.#reader.isOnlyMake(make, masked, year, scratch);
    return { draft: { ...emptyDraft(), make: isSettled ? make : '' }, possible: [], market, example: masked };
  }
}

/** A VIN that the masked one may be, and its values. */
interface Completion {
  text: string;
  market: SpecMarket | undefined;
  /** Its characters that tables of specifications look at. */
  characters: string;
  /** The values of its own characters. */
  read: Draft;
  /** The same with the values of tables of specifications. */
  draft: Draft;
}

function preferred(all: readonly Completion[], passes: (one: Completion) => boolean): readonly Completion[] {
  const found = all.filter(passes);
  return found.length > 0 ? found : all;
}

/** Returns the values that all drafts have alike. */
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
