import { type Criteria, squashWord, wordsIn } from './criteria.ts';
import { NumberList } from './number-list.ts';
import type { SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

/** The weight of a word with a digit, above any number of words without. */
const EXACT = 100;
/** Badge words for a cab, a door count or a use: no VIN's trim repeats them, so they separate no variants. */
const NEUTRAL =
  /^(?:crew|quad|mega|double|extended|regular|access|king|cab|chassis|inc|\dd(?:oo)?r|\ddoors?|passenger|cargo|van|police|taxi|w|with|and|inch|wheels?|tires?|conversion)$/;

/** The words of a badge; `digits` marks those with a digit. */
interface Badge {
  words: readonly string[];
  digits: readonly boolean[];
}

/** Compares the badges of variants with the words that are known of a vehicle. */
export class BadgeMatcher {
  readonly #tables: SpecTables;
  readonly #badges: (Badge | undefined)[] = [];
  /** The match of each row of the table that is compared. */
  readonly #matches = new NumberList();

  constructor(tables: SpecTables) {
    this.#tables = tables;
    // V8 keeps an array that grows in leaps as a hash table.
    this.#badges.length = tables.wordCount;
  }

  /**
   * Keeps the rows whose badge the trim repeats most fully, else those whose badge it does not contradict. A badge in
   * letters ("LE") may be an exception that the source lists beside the rest of that trim, so rows without a badge
   * stay; one with a digit ("330i") is the car's whole name.
   */
  prefer(rows: NumberList, start: number, { columns, has, listsAll }: SpecTable, criteria: Criteria): void {
    const words = wordsIn(criteria);
    const matches = this.#matches;
    matches.cut(0);
    let best = 0;
    let kept = start;
    for (let at = start; at < rows.length; at++) {
      const row = rows.at(at);
      const match = this.#match(columns.badge[row] as number, words);
      if (!listsAll && match < 0) continue;
      rows.set(kept++, row);
      matches.add(match);
      if (match > best) best = match;
    }
    rows.cut(kept);
    // Of electric cars, badges name the motors ("Twin") and trims the equipment: that no badge matches excludes no
    // motor.
    if (best === 0 && has.drive && criteria.fuel === 'Electric' && haveOtherWheels(rows, start, matches, columns.drive))
      return;
    if (criteria.hasTrim) keepBest(rows, start, matches, best, criteria.trim);
  }

  /**
   * Returns how well a badge and the known words match: 0 if the badge is empty, negative if none of its words is
   * known, from EXACT on if one with a digit is; a badge that is known whole counts above one that is known in part.
   */
  #match(number: number, known: readonly string[]): number {
    if (number === 0) return 0;
    const { words, digits } = this.#badge(number);
    if (words.length === 0) return 0;
    if (known.length === 0) return -1;
    let matched = 0;
    let exact = 0;
    for (let at = 0; at < words.length; at++) {
      if (!known.includes(words[at] as string)) continue;
      matched++;
      if (digits[at] === true) exact = EXACT;
    }
    return matched === 0 ? -1 : exact + matched * 2 + (matched === words.length ? 1 : 0);
  }

  #badge(number: number): Badge {
    let badge = this.#badges[number];
    if (badge === undefined) {
      const words = this.#tables
        .word(number)
        .split(/[\s,/+()]+/)
        .map(squashWord)
        .filter((word) => word !== '' && !NEUTRAL.test(word));
      badge = { words, digits: words.map((word) => /\d/.test(word)) };
      this.#badges[number] = badge;
    }
    return badge;
  }
}

/** Returns true if rows whose badge does not match have other driven wheels than the rows without a badge. */
function haveOtherWheels(
  rows: NumberList,
  start: number,
  matches: NumberList,
  drives: Uint8Array | Uint16Array,
): boolean {
  const plain = new Set<number>();
  const others = new Set<number>();
  for (let at = 0; at < matches.length; at++) {
    const wheels = drives[rows.at(start + at)] as number;
    if (matches.at(at) === 0) plain.add(wheels);
    else if (matches.at(at) < 0 && wheels !== 0) others.add(wheels);
  }
  return !plain.has(0) && [...others].some((wheels) => !plain.has(wheels));
}

/** Matches a text that lists several trims: the longer is no surer than the shorter ("Turbo / Turbo S"). */
const LISTS_TRIMS = / \/ | or /;

/**
 * Keeps the rows that match best, those without a badge where no number matched, and all listed trims; all where none
 * is left.
 */
function keepBest(rows: NumberList, start: number, matches: NumberList, best: number, trim: string): void {
  const plain = best < EXACT ? 0 : best;
  // A badge that is known whole has an odd weight.
  const least = trim === '' || !LISTS_TRIMS.test(trim) ? Infinity : best < EXACT ? 1 : EXACT;
  let kept = start;
  for (let at = 0; at < matches.length; at++) {
    const match = matches.at(at);
    const isKept = match === best || match === plain || (match >= least && match % 2 === 1);
    if (isKept) rows.set(kept++, rows.at(start + at));
  }
  if (kept > start) rows.cut(kept);
}
