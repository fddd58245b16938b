import {
  type Decoder,
  type EngineVariant,
  HINT_NAMES,
  type HintName,
  type Hints,
  type OpenField,
  type VehicleReport,
} from '@marque/decoder';

import { valueAt } from '../../kernel/records.ts';

/** The hint that answers for a field of the report. */
const HINT_OF: Readonly<Record<string, HintName>> = {
  modelYear: 'modelYear',
  bodyStyleNormalized: 'bodyStyleNormalized',
  'specs.fuelType': 'fuelType',
  'specs.displacementCc': 'displacementCc',
  'specs.powerKw': 'powerKw',
  'specs.driveType': 'driveType',
  'specs.transmission': 'transmission',
};

/** The order in which fields are asked. */
const ORDER = ['manufacturer', 'model', 'generation', 'specs.plantCity', ...Object.keys(HINT_OF)];

/** A field that the VIN leaves open, as a question with its possible answers. */
export interface Question {
  /** Path in the report. */
  field: string;
  /** The hint that answers it; undefined if only other answers decide it. */
  hint: HintName | undefined;
  /** The possible values beside the other answers, the likeliest first. */
  choices: (string | number)[];
  /** The answer that was given. */
  chosen: string | number | undefined;
  /** The questions that would decide it, in words for people; names of hints are left out. */
  settledBy: string[];
}

/** The fields that an engine answers together. */
export const OF_ENGINE: ReadonlySet<string> = new Set(['specs.fuelType', 'specs.displacementCc', 'specs.powerKw']);

/** The engines to choose from. */
export interface EngineQuestion {
  /** The possible engines beside the other answers, the likeliest first. */
  choices: EngineVariant[];
  /** The engine that was chosen. */
  chosen: EngineVariant | undefined;
}

/** A report narrowed by answers, and the remaining questions. */
export interface Narrowed {
  report: VehicleReport;
  questions: Question[];
  engine: EngineQuestion;
  /** Answers that contradict decoded values: they were ignored. */
  conflicts: string[];
}

/** Counts the open questions of a VIN. Pure. */
export function countOpen({ questions, engine }: Narrowed): number {
  return questions.length + (engine.chosen === undefined ? 0 : 1);
}

/**
 * Returns a stored report's open fields as questions. Each offers the values possible beside the other answers, so that
 * an answer can be changed. A chosen engine answers for its fuel, size and power. Pure.
 */
export function narrow(
  decoder: Pick<Decoder, 'candidates'>,
  stored: VehicleReport,
  others: Hints,
  engine?: EngineVariant,
): Narrowed {
  const hints = { ...others, ...engine };
  const answer = decoder.candidates(stored.vin, hints);
  const questions = answer.open.map((open) => questionOf(open, undefined));
  const given = HINT_NAMES.filter((name) => hints[name] !== undefined && !answer.conflicts.includes(name));
  // What was ignored changes no question, and takes a search more in each of these.
  const taken: Hints = Object.fromEntries(given.map((name) => [name, hints[name]]));
  const answered = given.flatMap((name) => answeredBy(decoder, stored.vin, taken, name));
  const fields = new Set(answered.map(({ field }) => field));
  const before = given.length === 0 ? answer : decoder.candidates(stored.vin, {});
  return {
    report: withAnswers(stored, before.report, answer.report),
    // A value from an outside source at the time of decoding is not asked.
    questions: [...answered, ...questions.filter(({ field }) => !fields.has(field))]
      .filter(({ field, chosen }) => chosen !== undefined || isEmpty(valueAt(stored, field)))
      .filter(({ field }) => engine === undefined || !OF_ENGINE.has(field))
      // A question keeps its place when it is answered.
      .toSorted((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field)),
    engine: {
      choices: engine === undefined ? answer.engines : decoder.candidates(stored.vin, withoutEngine(taken)).engines,
      chosen: engine,
    },
    conflicts: answer.conflicts,
  };
}

function withoutEngine(hints: Hints): Hints {
  const { fuelType: _fuel, displacementCc: _size, powerKw: _power, ...others } = hints;
  return others;
}

/** Returns the question that an answer belongs to, as it was before. */
function answeredBy(decoder: Pick<Decoder, 'candidates'>, vin: string, hints: Hints, name: HintName): Question[] {
  const { [name]: chosen, ...others } = hints;
  const { open } = decoder.candidates(vin, others);
  return open.filter(({ field }) => HINT_OF[field] === name).map((field) => questionOf(field, chosen));
}

function questionOf({ field, candidates, settledBy }: OpenField, chosen: Question['chosen']): Question {
  const words = settledBy.filter((text) => !HINT_NAMES.some((name) => name === text));
  return { field, hint: HINT_OF[field], choices: candidates, chosen, settledBy: words };
}

/**
 * Returns a stored report with the values that the answers decide, and nothing else: a value that the catalog has
 * changed since was not answered.
 */
function withAnswers(stored: VehicleReport, before: VehicleReport, after: VehicleReport): VehicleReport {
  const { specs, technicalSpecs, ...fields } = settled(before, after);
  const [asked, measured] = [settled(before.specs, after.specs), settled(before.technicalSpecs, after.technicalSpecs)];
  return {
    ...stored,
    ...fields,
    ...(specs === undefined ? {} : { specs: { ...stored.specs, ...asked } }),
    ...(technicalSpecs === undefined ? {} : { technicalSpecs: { ...stored.technicalSpecs, ...measured } }),
  };
}

/** Returns the fields of a report that answers have changed. */
function settled<T extends object>(before: T | undefined, after: T | undefined): Partial<T> {
  const kept: Partial<T> = {};
  const isSettled = ([name, value]: [string, unknown]): boolean =>
    !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(valueAt(before ?? {}, name));
  return Object.assign(kept, Object.fromEntries(Object.entries(after ?? {}).filter(isSettled)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === 'unknown' || value === 0;
}
