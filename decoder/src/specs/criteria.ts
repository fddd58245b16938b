import type { Draft } from '../report/draft.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { drivesAll } from './agree.ts';
import type { CodedWords } from './tables.ts';

/** What a reading of a VIN says that a variant must not contradict. Empty and zero: not said. */
export interface Criteria {
  year: number;
  generation: string;
  body: string;
  fuel: string;
  cc: number;
  cylinders: number;
  charged: boolean;
  /** Of the driven wheels: "all", "two", or one of the two axles. */
  drive: '' | 'all' | 'two' | 'front' | 'rear';
  gearbox: '' | 'manual' | 'automatic';
  powerKw: number;
  wheelbaseMm: number;
  /** The VIN's characters as numbers; keeps which of them a table asked for. */
  codes: VinCodes;
  /** The words of badge, trim and body, squashed, for comparing with a variant's badge. */
  words: ReadonlySet<string>;
  /** Whether a trim or badge is known at all: then a variant of another badge is another car. */
  hasTrim: boolean;
  /** Whether the trim is a list of those that the car may have. */
  listsTrims: boolean;
}

/** What a draft and its VIN say; `coded` is what the VIN's characters tell, where no text does. */
export function criteriaOf(draft: Draft, codes: VinCodes, coded: CodedWords): Criteria {
  const gearbox = draft.transmission === '' ? coded.gearbox : draft.transmission;
  const words = new Set<string>();
  for (const text of [draft.badge, draft.modelCode, draft.trim, draft.bodyLabel]) {
    for (const word of wordsOf(text)) words.add(word);
  }
  return {
    year: draft.modelYear,
    generation: draft.generation,
    body: draft.body === 'unknown' || draft.body === 'other' ? '' : draft.body,
    fuel: draft.fuelType,
    cc: draft.displacementCc,
    cylinders: draft.cylinders,
    charged: draft.turbo,
    drive: driveOf(draft.driveType === '' ? coded.drive : draft.driveType) || driveOfWords(draft),
    gearbox: gearbox === '' ? '' : gearbox.startsWith('Manual') ? 'manual' : 'automatic',
    powerKw: draft.powerKw,
    wheelbaseMm: draft.wheelbaseMm,
    codes,
    words,
    hasTrim: draft.trim !== '' || draft.modelCode !== '' || draft.badge !== '',
    listsTrims: / \/ | or /.test(draft.trim),
  };
}

export function driveOf(driveType: string): Criteria['drive'] {
  if (drivesAll(driveType)) return 'all';
  if (driveType === 'Front-wheel drive') return 'front';
  if (driveType === 'Rear-wheel drive') return 'rear';
  return driveType === '4x2' ? 'two' : '';
}

/** Texts that repeat from VIN to VIN: trims, badges and bodies are a few thousand. */
const MOST_TEXTS = 10_000;

/** A function of texts that keeps what it gave. */
function keeping<Result>(make: (text: string) => Result): (text: string) => Result {
  const kept = new Map<string, Result>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const result = make(text);
    if (kept.size >= MOST_TEXTS) kept.clear();
    kept.set(text, result);
    return result;
  };
}

/** What trim, badge and body say of the driven wheels. */
export function driveOfWords(draft: Draft): Criteria['drive'] {
  return driveOfText(`${draft.badge} ${draft.modelCode} ${draft.trim} ${draft.bodyLabel}`);
}

const driveOfText = keeping((text): Criteria['drive'] => {
  // A text that names several drives ("FWD/AWD") settles none.
  const all = /\b(?:awd|4wd|4x4|xdrive|4matic\+?|quattro|4motion|all4|sh-awd|e-4orce|all-trac|syncro)/i.test(text);
  const front = /\bfwd\b/i.test(text);
  const rear = /\brwd\b/i.test(text);
  const two = /\b(?:2wd|4x2|sdrive)/i.test(text);
  if (Number(all) + Number(front) + Number(rear) + Number(two) !== 1) return '';
  if (all) return 'all';
  if (front) return 'front';
  return rear ? 'rear' : 'two';
});

/** The words of a text, squashed. */
const wordsOf = keeping((text) =>
  text
    .split(/[\s,/+()]+/)
    .map(squashWord)
    .filter((word) => word !== ''),
);

/**
 * A word for comparing: lower case, letters and digits only. The point of a number stays, because only it distinguishes a displacement
 * ("2.5") from a model code or a badge ("25").
 */
export function squashWord(word: string): string {
  return word.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)|[^a-z0-9]/g, (mark) => (mark === '.' ? '.' : ''));
}
