import type { Draft } from '../report/draft.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { drivesAll } from './agree.ts';
import type { DrivenWheels, DriveNames } from './drive-names.ts';
import { keeping } from './keeping.ts';
import type { CodedWords } from './tables.ts';

/** Known values of a vehicle that a variant must not contradict. Empty and zero: not known. */
export interface Criteria {
  year: number;
  generation: string;
  body: string;
  fuel: string;
  cc: number;
  cylinders: number;
  charged: boolean;
  drive: DrivenWheels | '';
  gearbox: '' | 'manual' | 'automatic';
  powerKw: number;
  wheelbaseMm: number;
  /** The VIN's characters as numbers. */
  codes: VinCodes;
  /** The texts whose words are compared with a variant's badge. */
  badge: string;
  modelCode: string;
  trim: string;
  bodyLabel: string;
  /** True if a trim or badge is known at all: then a variant of another badge is another car. */
  hasTrim: boolean;
  /** The words of these texts, once they are gathered. */
  words: readonly string[] | undefined;
}

/**
 * Returns the criteria of a vehicle; `coded` is the meaning of the VIN's characters, used if no text gives the value,
 * and `names` are those of driven wheels.
 */
export function criteriaOf(draft: Draft, codes: VinCodes, coded: CodedWords, names: DriveNames): Criteria {
  const { badge, modelCode, trim, bodyLabel } = draft;
  return {
    year: draft.modelYear,
    generation: draft.generation,
    body: draft.body === 'unknown' || draft.body === 'other' ? '' : draft.body,
    fuel: draft.fuelType,
    cc: draft.displacementCc,
    cylinders: draft.cylinders,
    charged: draft.turbo,
    drive: driveOf(draft.driveType === '' ? coded.drive : draft.driveType) || names.of(draft),
    gearbox: kindOfGearbox(draft.transmission === '' ? coded.gearbox : draft.transmission),
    powerKw: draft.powerKw,
    wheelbaseMm: draft.wheelbaseMm,
    codes,
    badge,
    modelCode,
    trim,
    bodyLabel,
    hasTrim: trim !== '' || modelCode !== '' || badge !== '',
    words: undefined,
  };
}

/**
 * Returns the words of badge, trim and body, squashed; gathered once for all tables that a vehicle is compared with.
 */
export function wordsIn(criteria: Criteria): readonly string[] {
  if (criteria.words === undefined) {
    const words: string[] = [];
    const { badge, modelCode, trim, bodyLabel } = criteria;
    for (const text of [badge, modelCode, trim, bodyLabel])
      if (text !== '') for (const word of wordsOf(text)) words.push(word);
    criteria.words = words;
  }
  return criteria.words;
}

function kindOfGearbox(transmission: string): Criteria['gearbox'] {
  if (transmission === '') return '';
  return transmission.startsWith('Manual') ? 'manual' : 'automatic';
}

/** Returns the driven wheels that a text of the report's vocabulary names. */
export function driveOf(driveType: string): Criteria['drive'] {
  if (driveType === '') return '';
  if (drivesAll(driveType)) return 'all';
  if (driveType === 'Front-wheel drive') return 'front';
  if (driveType === 'Rear-wheel drive') return 'rear';
  return driveType === '4x2' ? 'two' : '';
}

/** The words of a text, squashed. */
const wordsOf = keeping((text) =>
  text
    .split(/[\s,/+()]+/)
    .map(squashWord)
    .filter((word) => word !== ''),
);

/** Most words have no other characters: the regular expression with a callback takes ten times as long. */
const UNSQUASHED = /[^a-z0-9]/;

/**
 * Returns a word for comparing: lower case, letters and digits only. The point of a number stays, because only it
 * distinguishes a displacement ("2.5") from a model code or a badge ("25").
 */
export function squashWord(word: string): string {
  const lower = word.toLowerCase();
  return !UNSQUASHED.test(lower)
    ? lower
    : lower.replaceAll(/(?<=\d)\.(?=\d)|[^a-z0-9]/g, (mark) => (mark === '.' ? '.' : ''));
}
