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
const ORDER = ['model', 'generation', 'specs.plantCity', ...Object.keys(HINT_OF)];

/** A field that the VIN leaves open, as a question with its possible answers. */
export interface Question {
  /** Path in the report. */
  field: string;
  /** The hint that answers it; undefined: only other answers settle it. */
  hint: HintName | undefined;
  /** What is possible beside the other answers, the likeliest first. */
  choices: (string | number)[];
  /** The answer that was given. */
  chosen: string | number | undefined;
  /** What would settle it, in words for people; names of hints are left out. */
  settledBy: string[];
}

/** The fields that an engine answers together. */
const OF_ENGINE: ReadonlySet<string> = new Set(['specs.fuelType', 'specs.displacementCc', 'specs.powerKw']);

/** The engines to choose from. */
export interface EngineQuestion {
  /** What is possible beside the other answers, the likeliest first. */
  choices: EngineVariant[];
  /** The engine that was chosen. */
  chosen: EngineVariant | undefined;
}

/** A report narrowed by answers, and what can be asked further. */
export interface Narrowed {
  report: VehicleReport;
  questions: Question[];
  engine: EngineQuestion;
  /** Answers that contradict what is settled: they were ignored. */
  conflicts: string[];
}

/**
 * Puts what a stored report leaves open as questions. Each offers what is possible beside the other answers, so that an
 * answer can be changed. An engine that is chosen answers for its fuel, size and power. Pure.
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
  const answered = given.flatMap((name) => answeredBy(decoder, stored.vin, hints, name));
  const fields = new Set(answered.map(({ field }) => field));
  return {
    report: filledFrom(answer.report, stored),
    // What a source outside settled when the VIN was decoded is not asked.
    questions: [...answered, ...questions.filter(({ field }) => !fields.has(field))]
      .filter(({ field, chosen }) => chosen !== undefined || isEmpty(valueAt(stored, field)))
      .filter(({ field }) => engine === undefined || !OF_ENGINE.has(field))
      // A question keeps its place when it is answered.
      .toSorted((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field)),
    engine: {
      choices: engine === undefined ? answer.engines : decoder.candidates(stored.vin, withoutEngine(others)).engines,
      chosen: engine,
    },
    conflicts: answer.conflicts,
  };
}

function withoutEngine(hints: Hints): Hints {
  const { fuelType: _fuel, displacementCc: _size, powerKw: _power, ...others } = hints;
  return others;
}

/** The question that an answer was given to, as it stood before. */
function answeredBy(decoder: Pick<Decoder, 'candidates'>, vin: string, hints: Hints, name: HintName): Question[] {
  const { [name]: chosen, ...others } = hints;
  const { open } = decoder.candidates(vin, others);
  return open.filter(({ field }) => HINT_OF[field] === name).map((field) => questionOf(field, chosen));
}

function questionOf({ field, candidates, settledBy }: OpenField, chosen: Question['chosen']): Question {
  const words = settledBy.filter((text) => !HINT_NAMES.some((name) => name === text));
  return { field, hint: HINT_OF[field], choices: candidates, chosen, settledBy: words };
}

/** A report completed with another one: sources outside may know more than the catalog does. */
function filledFrom(report: VehicleReport, stored: VehicleReport): VehicleReport {
  return {
    ...stored,
    ...present(report),
    ...(report.specs === undefined ? {} : { specs: { ...stored.specs, ...present(report.specs) } }),
    ...(report.technicalSpecs === undefined
      ? {}
      : { technicalSpecs: { ...stored.technicalSpecs, ...present(report.technicalSpecs) } }),
  };
}

function present<T extends object>(values: T): Partial<T> {
  const kept: Partial<T> = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === 'unknown' || value === 0;
}
