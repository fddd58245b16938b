import type { Strings } from '../catalog/strings.ts';
import type { VinReader } from '../decode/reader.ts';
import type { Reading, Scratch } from '../decode/reading.ts';
import type { Draft } from '../report/draft.ts';
import { BODY_STYLES } from '../report/report.ts';
import { writeReport } from '../report/write-report.ts';
import type { CandidatesAnswer, OpenField } from './candidates.ts';
import { ONE_SIZE_CC } from './engine-sizes.ts';
import { guideOf } from './guide.ts';
import { agreesWithHint, HINT_NAMES, type HintName, type Hints } from './hints.ts';
import { isOpen, OPEN_FIELDS, type OpenName, PossibilityFinder, type Possibilities } from './possibilities.ts';

/** The draft's field for each hint. */
const DRAFT_OF: Readonly<Record<HintName, OpenName | 'market'>> = {
  modelYear: 'modelYear',
  registrationYear: 'modelYear',
  fuelType: 'fuelType',
  displacementCc: 'displacementCc',
  powerKw: 'powerKw',
  bodyStyleNormalized: 'body',
  driveType: 'driveType',
  transmission: 'transmission',
  market: 'market',
};

const REGISTRATION = 'the registration document';
const ENGINE_PLATE = 'engine code, on the engine or its label';

/** What settles a field: hints by their names, then what people can look at. */
const SETTLED_BY: Readonly<Record<OpenName, readonly string[]>> = {
  model: ['registrationYear', 'bodyStyleNormalized', REGISTRATION],
  generation: ['modelYear', 'registrationYear'],
  modelYear: ['registrationYear', REGISTRATION],
  body: ['bodyStyleNormalized', 'a look at the vehicle'],
  fuelType: ['powerKw', REGISTRATION, 'the fuel filler cap'],
  displacementCc: ['fuelType', 'powerKw', REGISTRATION, ENGINE_PLATE],
  powerKw: ['fuelType', 'displacementCc', REGISTRATION, ENGINE_PLATE],
  driveType: ['driveType', REGISTRATION],
  transmission: ['transmission', 'a look at the gear lever'],
  plantCity: ["the maker's plate"],
};

/** Finds what a VIN leaves open, and what hints settle of it. */
export class CandidateFinder {
  readonly #reader: VinReader;
  readonly #strings: Strings;
  readonly #possibilities: PossibilityFinder;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#strings = strings;
    this.#possibilities = new PossibilityFinder(reader, strings);
  }

  /** `vin`: 17 characters, `*` for each that is not known. */
  find(vin: string, hints: Hints, year: number, scratch: Scratch): CandidatesAnswer {
    scratch.codes.read(vin);
    const alone = this.#reader.read(vin, year, scratch);
    const read = { ...alone.draft };
    this.#reader.complete(alone);
    const conflicts: string[] = contradicted(alone.draft, hints);
    const usable = without(hints, conflicts);
    const names = HINT_NAMES.filter((name) => usable[name] !== undefined);
    if (names.length === 0) return this.#answer(alone, year, alone.draft, alone.draft, conflicts);
    const guide = guideOf(usable, this.#reader.world, this.#strings);
    const reading = { ...this.#reader.read(vin, year, scratch, guide) };
    reading.market ??= marketOf(usable);
    keepSettled(read, reading.draft);
    const known = { ...reading.draft };
    const draft = this.#narrow(reading, year, known, usable, conflicts);
    // A year of registration is near the model year, and not it.
    if (usable.modelYear === undefined) draft.modelYear = 0;
    keepSettled(alone.draft, draft);
    return this.#answer(reading, year, known, draft, conflicts);
  }

  /**
   * Puts hints that the catalog bears out into `known`; gives a draft with what they leave as the only possibility, and
   * with what specifications tell of that.
   */
  #narrow(reading: Reading, year: number, known: Draft, hints: Hints, conflicts: string[]): Draft {
    const { draft } = reading;
    const possible = this.#possibilities.find(reading, year + 1, draft).fields;
    const chosen = new Map<OpenName, HintName>();
    for (const name of HINT_NAMES) {
      const target = DRAFT_OF[name];
      const hint = hints[name];
      if (target === 'market' || hint === undefined || !isOpen(draft, target)) continue;
      const fits = narrowRanking(possible, target, name, hint);
      // While the model is open, what is usual for the make lists some of its engines only.
      if (!fits && draft.model !== '') conflicts.push(name);
      if (name === 'registrationYear' || (!fits && draft.model !== '')) continue;
      // The hint itself narrows the variants; what is reported is the catalog's own value.
      Object.assign(known, { [target]: hint });
      chosen.set(target, name);
    }
    const narrowed = { ...known };
    this.#reader.complete({ ...reading, draft: narrowed });
    // Of what one hint leaves, others may rule out some.
    const left = this.#possibilities.find(reading, year + 1, known, draft).fields;
    for (const [target, name] of chosen) {
      const isListed = narrowRanking(left, target, name, hints[name] ?? '') && left[target].size > 0;
      const settled = isListed ? settledOf(target, left[target].values()) : undefined;
      Object.assign(narrowed, { [target]: settled ?? (target === 'body' ? 'unknown' : draft[target]) });
      if (target === 'body' && settled !== undefined) this.#labelBody(narrowed);
    }
    narrowed.engineLine = '';
    return narrowed;
  }

  #labelBody(draft: Draft): void {
    const body = BODY_STYLES.indexOf(draft.body);
    draft.bodyLabel = this.#strings.get(this.#reader.world.bodyLabel[body] ?? 0);
    draft.possibleBodies = [];
  }

  #answer(reading: Reading, year: number, known: Draft, draft: Draft, conflicts: string[]): CandidatesAnswer {
    const { vin, region } = reading;
    const { fields: possible, engines } = this.#possibilities.find(reading, year + 1, known, draft);
    const open = OPEN_FIELDS.flatMap(({ field, draft: name }): OpenField[] => {
      const values = isOpen(draft, name) ? merged(name, possible[name].values()) : [];
      if (values.length === 0) return [];
      return [{ field, candidates: values, settledBy: [...SETTLED_BY[name]] }];
    });
    const report = writeReport(vin, region, draft);
    if (vin.includes('*')) report.validFormat = false;
    return { report, open, engines, conflicts };
  }
}

/** Names of hints that contradict what the VIN settles. */
function contradicted(draft: Draft, hints: Hints): HintName[] {
  return HINT_NAMES.filter((name) => {
    const hint = hints[name];
    const value = draft[DRAFT_OF[name]];
    if (hint === undefined || value === '' || value === 0 || value === 'unknown' || value === 'other') return false;
    return !agreesWithHint(name, hint, value);
  });
}

function without(hints: Hints, names: readonly string[]): Hints {
  return Object.fromEntries(Object.entries(hints).filter(([name]) => !names.includes(name)));
}

/** What the VIN alone settles stays, whatever hints made of it. */
function keepSettled(settled: Draft, draft: Draft): void {
  for (const [name, value] of Object.entries(settled)) {
    const isEmpty = value === '' || value === 0 || value === 'unknown' || value === false;
    if (!isEmpty && !Array.isArray(value) && name !== 'engineLine') Object.assign(draft, { [name]: value });
  }
}

function narrowRanking(
  possible: Possibilities['fields'],
  target: OpenName,
  name: HintName,
  hint: string | number,
): boolean {
  const ranking = possible[target];
  // Where the catalog has the very word, one that is only near it is another vehicle.
  if (typeof hint === 'string' && ranking.values().includes(hint)) return ranking.narrow((value) => value === hint);
  return ranking.narrow((value) => agreesWithHint(name, hint, value));
}

/** The value of a field whose possibilities all say the same. */
function settledOf(name: OpenName, values: readonly (string | number)[]): string | number | undefined {
  const left = merged(name, values);
  return left.length === 1 ? left[0] : undefined;
}

const NEAR: Readonly<Partial<Record<OpenName, (value: number) => number>>> = {
  displacementCc: () => ONE_SIZE_CC,
  powerKw: (value) => Math.max(2, value * 0.03),
};

/** Numbers that mean the same engine as one before them are left out. */
function merged(name: OpenName, values: readonly (string | number)[]): (string | number)[] {
  const near = NEAR[name];
  if (near === undefined) return [...values];
  const kept: number[] = [];
  for (const value of values.map(Number)) {
    if (!kept.some((known) => Math.abs(known - value) <= near(known))) kept.push(value);
  }
  return kept;
}

function marketOf({ market }: Hints): 'europe' | 'north-america' | undefined {
  if (market === 'North America') return 'north-america';
  return market === 'Europe' ? 'europe' : undefined;
}
