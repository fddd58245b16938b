import { BODY_STYLES, type BodyStyle, type VehicleReport } from '../report/report.ts';
import { couldBeBody, couldBeDrive, couldBeFuel } from '../specs/fits.ts';
import { driveOf } from '../specs/criteria.ts';

/** Facts about a vehicle besides its VIN. A hint narrows the open fields and never overrules the VIN. */
export interface Hints {
  modelYear?: number;
  /** The year of the first registration. */
  registrationYear?: number;
  fuelType?: string;
  displacementCc?: number;
  powerKw?: number;
  bodyStyleNormalized?: BodyStyle;
  driveType?: string;
  transmission?: string;
  /** "Europe" or "North America": whose specifications apply if the VIN does not decide. */
  market?: string;
}

export const HINT_NAMES = [
  'modelYear',
  'registrationYear',
  'fuelType',
  'displacementCc',
  'powerKw',
  'bodyStyleNormalized',
  'driveType',
  'transmission',
  'market',
] as const satisfies readonly (keyof Hints)[];

export type HintName = (typeof HINT_NAMES)[number];

/** Parsed hints, or their faults: a sentence for each. */
export type HintsForm = { kind: 'hints'; hints: Hints } | { kind: 'malformed'; messages: string[] };

const NUMBERS: Readonly<Partial<Record<HintName, readonly [from: number, to: number]>>> = {
  modelYear: [1900, 2100],
  registrationYear: [1900, 2100],
  displacementCc: [20, 40_000],
  powerKw: [1, 2000],
};

type Words = readonly (readonly [pattern: RegExp, word: string])[];

const WORDS: Readonly<Partial<Record<HintName, Words>>> = {
  fuelType: [
    [/plug|phev/i, 'Plug-in hybrid'],
    [/hybrid|^m?hev/i, 'Hybrid'],
    [/diesel|^tdi/i, 'Diesel'],
    [/electric|^b?ev$/i, 'Electric'],
    [/flex/i, 'Flex fuel'],
    [/lpg/i, 'LPG'],
    [/cng|natural gas/i, 'CNG'],
    [/hydrogen|fuel cell/i, 'Hydrogen'],
    [/gas|petrol|benzin/i, 'Gasoline'],
  ],
  driveType: [
    [/all|four|awd|4wd|4x4/i, 'All-wheel drive'],
    [/front|fwd/i, 'Front-wheel drive'],
    [/rear|rwd/i, 'Rear-wheel drive'],
  ],
  transmission: [
    [/^man/i, 'Manual'],
    [/auto|cvt|dct|dsg/i, 'Automatic'],
  ],
  market: [
    [/europe|^eu$/i, 'Europe'],
    [/america|^(?:us|usa|ca|canada)$/i, 'North America'],
  ],
  bodyStyleNormalized: BODY_STYLES.slice(1).map((style) => [new RegExp(`^${style}$`, 'i'), style]),
};

/** Reads hints that people or files wrote: usual words and numbers as text; empty texts are ignored. */
export function readHints(given: Readonly<Record<string, unknown>>): HintsForm {
  const hints: Record<string, string | number> = {};
  const messages: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === '') continue;
    const known = HINT_NAMES.find((hint) => hint === name);
    const read = known === undefined ? undefined : readHint(known, value);
    if (read !== undefined) hints[name] = read;
    else if (known === undefined) messages.push(`${name} is not a hint. The hints are ${HINT_NAMES.join(', ')}.`);
    else messages.push(`The hint ${known} takes ${expectedOf(known)}.`);
  }
  return messages.length > 0 ? { kind: 'malformed', messages } : { kind: 'hints', hints };
}

function readHint(name: HintName, value: unknown): string | number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const range = NUMBERS[name];
  if (range === undefined) return WORDS[name]?.find(([pattern]) => pattern.test(text))?.[1];
  const number = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return number >= range[0] && number <= range[1] ? number : undefined;
}

function expectedOf(name: HintName): string {
  const range = NUMBERS[name];
  if (range !== undefined) return `a number from ${range[0]} to ${range[1]}`;
  return `one of ${(WORDS[name] ?? []).map(([, word]) => word).join(', ')}`;
}

/** People round displacements to a tenth of a liter, up or down. */
const DISPLACEMENT_TOLERANCE_CC = 70;
const POWER_TOLERANCE = 0.05;

type Agrees = (value: string, hint: string) => boolean;

const AGREES: Readonly<Record<HintName, Agrees>> = {
  modelYear: (value, hint) => Math.abs(Number(value) - Number(hint)) <= 1,
  registrationYear: (value, hint) => Number(value) <= Number(hint) + 1,
  displacementCc: (value, hint) => Math.abs(Number(value) - Number(hint)) <= DISPLACEMENT_TOLERANCE_CC,
  powerKw: (value, hint) => Math.abs(Number(value) - Number(hint)) <= Math.max(2, Number(hint) * POWER_TOLERANCE),
  fuelType: couldBeFuel,
  bodyStyleNormalized: couldBeBody,
  driveType: (value, hint) => couldBeDrive(value, driveOf(hint)),
  transmission: (value, hint) => value.startsWith('Manual') === (hint === 'Manual'),
  market: (value, hint) => value === hint,
};

/**
 * Returns true if a value agrees with a hint: sources name one thing in several ways. An unknown value contradicts
 * nothing.
 */
export function agreesWithHint(name: HintName, hint: string | number, value: string | number): boolean {
  return value === '' || value === 0 || AGREES[name](String(value), String(hint));
}

/** Returns the names of the hints that a report contradicts, and the number that it confirms. */
export function compareWithHints(report: VehicleReport, hints: Hints): { conflicts: HintName[]; agreed: number } {
  const conflicts: HintName[] = [];
  let agreed = 0;
  for (const name of HINT_NAMES) {
    const hint = hints[name];
    const value = valueIn(report, name);
    if (hint === undefined || value === undefined || value === 'unknown' || value === 'other') continue;
    if (agreesWithHint(name, hint, value)) agreed++;
    else conflicts.push(name);
  }
  return { conflicts, agreed };
}

function valueIn(report: VehicleReport, name: HintName): string | number | undefined {
  if (name === 'modelYear' || name === 'registrationYear') return report.modelYear;
  return name === 'bodyStyleNormalized' ? report.bodyStyleNormalized : report.specs?.[name];
}
