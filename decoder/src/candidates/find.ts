import type { Strings } from '../catalog/strings.ts';
import type { VinReader } from '../decode/reader.ts';
import type { Reading, Scratch } from '../decode/reading.ts';
import { type Draft, emptyDraft, reportedDraft } from '../report/draft.ts';
import { Ledger } from '../settle/ledger.ts';
import { BODY_STYLES } from '../report/report.ts';
import { writeReport } from '../report/write-report.ts';
import type { CandidatesAnswer, OpenField } from './candidates.ts';
import { hasSize } from './engines.ts';
import { ONE_SIZE_CC } from './engine-sizes.ts';
import { gearboxOf } from './gearbox.ts';
import { guideOf } from './guide.ts';
import {
  contradictedByAll,
  DRAFT_OF,
  marketOf,
  MOST_YEARS_AHEAD,
  narrowRanking,
  ofEngines,
  sizeOf,
  without,
} from './hinted-fields.ts';
import { agreesWithHint, compareWithHints, HINT_NAMES, type HintName, type Hints } from './hints.ts';
import { MaskReader } from './masked.ts';
import { isOpen, OPEN_FIELDS, type OpenName, PossibilityFinder } from './possibilities.ts';
import type { Ranking } from './ranking.ts';

const REGISTRATION = 'the registration document';
const ENGINE_PLATE = 'engine code, on the engine or its label';

/** The answer to fields that depend on characters behind a mask. */
const WHOLE_VIN: readonly string[] = ['the whole VIN'];

/** The weight of values decoded in a remaining case: above all others. */
const CASE_WEIGHT = 100_000;

/** Facts that decide a field: hints by their names, then things that people can look at. */
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

/** Hints, and what they are compared with. */
interface Given {
  hints: Hints;
  settled: Draft;
  /** The values decoded in each of the remaining cases: VINs that a masked one may be, or two years. */
  cases: readonly Draft[];
  conflicts: string[];
}

/** Finds the fields that a VIN leaves open, and the values that hints decide. */
export class CandidateFinder {
  readonly #reader: VinReader;
  readonly #strings: Strings;
  readonly #possibilities: PossibilityFinder;
  readonly #mask: MaskReader;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#strings = strings;
    this.#possibilities = new PossibilityFinder(reader, strings);
    this.#mask = new MaskReader(reader);
  }

  /** Finds the candidates. `vin`: 17 characters, `*` for each unknown one. */
  find(vin: string, hints: Hints, year: number, scratch: Scratch): CandidatesAnswer {
    let found = this.#find(vin, hints, hints, year, scratch);
    if (found.conflicts.length > 0 && vin.includes('*')) {
      // A hint may choose among the VINs behind a mask, and fit none of the values of those that are left.
      const others = this.#find(vin, hints, without(hints, found.conflicts), year, scratch);
      if (others.conflicts.length < found.conflicts.length) found = others;
    }
    const { report, conflicts } = found;
    if (conflicts.length === 0) conflicts.push(...compareWithHints(report, hints).conflicts);
    if (conflicts.length === 0) return found;
    // Contradictions change nothing.
    const rest = this.find(vin, without(hints, conflicts), year, scratch);
    return {
      ...rest,
      conflicts: HINT_NAMES.filter((name) => conflicts.includes(name) || rest.conflicts.includes(name)),
    };
  }

  /** @param choosing the hints that choose among the VINs behind a mask. */
  #find(vin: string, hints: Hints, choosing: Hints, year: number, scratch: Scratch): CandidatesAnswer {
    const mask = vin.includes('*') ? this.#mask.read(vin, choosing, year, scratch) : undefined;
    const text = mask?.example ?? vin;
    scratch.codes.read(text);
    const alone = this.#reader.read(text, year, scratch);
    const read = { ...alone.draft };
    this.#reader.complete(alone);
    const settled = mask?.draft ?? alone.draft;
    const either = mask?.possible ?? alone.either ?? [];
    const conflicts: string[] = contradictedByAll(settled, either, hints, year + MOST_YEARS_AHEAD);
    const usable = without(hints, conflicts);
    if (HINT_NAMES.every((name) => usable[name] === undefined)) {
      const known = mask === undefined ? settled : withModels(settled, mask.possible);
      return this.#answer({ ...alone, vin }, year, known, settled, conflicts, either);
    }
    const guide = guideOf(usable, this.#reader.world, this.#strings);
    const hinted = this.#reader.read(text, year, scratch, guide);
    const reading = { ...hinted, draft: { ...hinted.draft }, vin };
    if (mask !== undefined) reading.market = mask.market;
    reading.market ??= marketOf(usable);
    if (mask !== undefined) keepOpen(mask.draft, alone.draft, reading.draft);
    keepSettled(mask === undefined ? read : mask.draft, reading.draft);
    const known = mask === undefined ? { ...reading.draft } : withModels(reading.draft, mask.possible);
    const given = { hints: usable, settled, cases: mask?.possible ?? reading.either ?? [], conflicts };
    const draft = this.#narrow(reading, year, known, given);
    // A year of registration is near the model year, and not it.
    if (usable.modelYear === undefined) draft.modelYear = 0;
    if (mask !== undefined) keepOpen(mask.draft, alone.draft, draft);
    keepSettled(settled, draft);
    return this.#answer(reading, year, known, draft, conflicts, given.cases);
  }

  /**
   * Puts hints that the catalog confirms into `known`; returns a draft with the only value that they leave for a field,
   * and with the specifications that follow.
   *
   * @param given conflicts are added to it, and cases removed that a hint rules out.
   */
  #narrow(reading: Reading, year: number, known: Draft, given: Given): Draft {
    const { draft } = reading;
    const { hints, settled, conflicts } = given;
    const { fields: possible, engines: offered } = this.#possibilities.findHinted(
      reading,
      year + 1,
      { ...known },
      draft,
    );
    const chosen = new Map<OpenName, HintName>();
    for (const name of HINT_NAMES) {
      const target = DRAFT_OF[name];
      const hint = hints[name];
      if (target === 'market' || hint === undefined || !isOpen(draft, target)) continue;
      // The fuel that is known leaves no displacement.
      if (name === 'displacementCc' && !hasSize(known)) {
        conflicts.push(name);
        continue;
      }
      // Engines are offered that only other years had.
      const fits = narrowRanking(possible, target, name, hint) || ofEngines(offered, name, hint).length > 0;
      if (!fits && draft.model !== '') {
        const cases = given.cases.filter(
          (one) => one[target] !== 0 && !isOpen(one, target) && agreesWithHint(name, hint, one[target]),
        );
        if (cases.length > 0) given.cases = cases;
        // While the model is open, the usual values list only some of the make's engines. What is settled agrees.
        else if (isOpen(settled, target)) conflicts.push(name);
      }
      if (name === 'registrationYear' || (!fits && draft.model !== '')) continue;
      // The hint itself narrows the variants; the report has the catalog's own value.
      Object.assign(known, { [target]: hint });
      chosen.set(target, name);
    }
    // Other hints may rule out some of the values that one hint leaves.
    const { fields: left, engines } = this.#possibilities.findHinted(reading, year + 1, known, draft);
    const narrowed = { ...known, model: draft.model };
    if (chosen.has('powerKw')) narrowed.displacementCc ||= sizeOf(engines);
    const ledger = new Ledger();
    ledger.clear(narrowed);
    this.#reader.complete({ ...reading, ledger, draft: narrowed });
    for (const [target, name] of chosen) {
      const isListed = narrowRanking(left, target, name, hints[name] ?? '') && left[target].size > 0;
      const values = isListed ? left[target].values() : ofEngines(engines, name, hints[name] ?? '');
      const only = settledOf(target, values);
      Object.assign(narrowed, { [target]: only ?? (target === 'body' ? 'unknown' : draft[target]) });
      if (target === 'body' && only !== undefined) this.#labelBody(narrowed);
    }
    narrowed.engineLine = '';
    return narrowed;
  }

  /** Returns the makes that share the WMI, as an open field; nothing where the make is known, or the WMI is masked. */
  #openMake({ vin, codes }: Reading, { make }: Draft): OpenField[] {
    const isMasked = vin.charAt(2) === '9' && vin.includes('*');
    const candidates = make === '' && !isMasked ? this.#reader.sharedMakes(codes) : [];
    return candidates.length === 0
      ? []
      : [{ field: 'manufacturer', candidates: [...candidates], settledBy: ['the badge', REGISTRATION] }];
  }

  #labelBody(draft: Draft): void {
    const body = BODY_STYLES.indexOf(draft.body);
    draft.bodyLabel = this.#strings.get(this.#reader.world.bodyLabel[body] ?? 0);
    draft.possibleBodies = [];
  }

  /**
   * Returns the answer. @param possibleDrafts the values decoded in each of the remaining cases: VINs that a masked one
   * may be, or two years.
   */
  #answer(
    reading: Reading,
    year: number,
    known: Draft,
    settled: Draft,
    conflicts: string[],
    possibleDrafts: readonly Draft[] = [],
  ): CandidatesAnswer {
    const { vin, region } = reading;
    const isMasked = vin.includes('*');
    const draft = reportedDraft(settled);
    // Without a make the report omits these values, so offer each as the only candidate.
    const untold = draft === settled ? [] : [settled];
    const { fields: possible, engines } = this.#possibilities.find(reading, year + 1, known, draft);
    for (const { draft: name } of OPEN_FIELDS) {
      addSettled(possibleDrafts, name, possible[name]);
      addSettled(untold, name, possible[name]);
    }
    const open = OPEN_FIELDS.flatMap(({ field, draft: name }): OpenField[] => {
      const values = isOpen(draft, name) ? merged(name, possible[name].values()) : [];
      if (values.length === 0) return [];
      return [
        {
          field,
          candidates: values,
          settledBy: [
            ...(isMasked && possibleDrafts.some((other) => !isOpen(other, name)) ? WHOLE_VIN : []),
            ...SETTLED_BY[name],
          ],
        },
      ];
    });
    open.unshift(...this.#openMake(reading, draft));
    const report = writeReport(vin, region, draft);
    if (isMasked) report.validFormat = false;
    return { report, open, engines, conflicts };
  }
}

/** Restores values decoded from the VIN alone; hints never replace them. */
function keepSettled(settled: Draft, draft: Draft): void {
  for (const [name, value] of Object.entries(settled)) {
    const isEmpty = value === '' || value === 0 || value === 'unknown' || value === false;
    if (!isEmpty && !Array.isArray(value) && name !== 'engineLine') Object.assign(draft, { [name]: value });
  }
}

/** The longest list of models that still narrows the engines. */
const MOST_MODELS = 4;

/**
 * Returns a draft with the models between which a masked VIN does not decide, as one name: lists of all of them give
 * the possible values.
 */
function withModels(draft: Draft, behindMask: readonly Draft[]): Draft {
  const models = [...new Set(behindMask.flatMap(({ model }) => model.split(' / ')))].filter((model) => model !== '');
  return draft.model !== '' || models.length > MOST_MODELS ? { ...draft } : { ...draft, model: models.join(' / ') };
}

/** Re-opens fields that were decided only because characters are masked, unless a hint changed them. */
function keepOpen(agreed: Draft, alone: Draft, draft: Draft): void {
  const nothing = emptyDraft();
  for (const name of Object.keys(nothing) as (keyof Draft)[]) {
    const isOpen = agreed[name] === nothing[name] && alone[name] !== nothing[name];
    if (isOpen && draft[name] === alone[name]) Object.assign(draft, { [name]: nothing[name] });
  }
}

/** Ranks values found in any draft first; if every draft has one, keeps only those. */
function addSettled(drafts: readonly Draft[], name: OpenName, ranking: Ranking<string | number>): void {
  const settling = drafts.filter((draft) => !isOpen(draft, name));
  if (settling.length === 0) return;
  const values = settling.map((draft) => (name === 'transmission' ? gearboxOf(draft.transmission) : draft[name]));
  for (const value of values) ranking.add(value, CASE_WEIGHT);
  if (settling.length === drafts.length) ranking.narrow((value) => values.includes(value));
}

/** Returns the value of a field whose possibilities all say the same. */
function settledOf(name: OpenName, values: readonly (string | number)[]): string | number | undefined {
  const left = merged(name, values);
  return left.length === 1 ? left[0] : undefined;
}

const NEAR: Readonly<Partial<Record<OpenName, (value: number) => number>>> = {
  displacementCc: () => ONE_SIZE_CC,
  powerKw: (value) => Math.max(2, value * 0.03),
};

/** Drops numbers that mean the same engine as an earlier one. */
function merged(name: OpenName, values: readonly (string | number)[]): (string | number)[] {
  const near = NEAR[name];
  if (near === undefined) return [...values];
  const kept: number[] = [];
  for (const value of values.map(Number)) {
    if (!kept.some((known) => Math.abs(known - value) <= near(known))) kept.push(value);
  }
  return kept;
}
