import {
  type CandidatesAnswer,
  type Decoder,
  type EngineVariant,
  type Hints,
  readHints,
  readVin,
  type VehicleReport,
} from '@marque/decoder';

import { type Field, compareField } from '../../labels/compare.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import { fuelWord } from '../../labels/words.ts';

/** The labeled fields that candidates may be for, with their path in a report. */
const PATHS = {
  model: 'model',
  modelYear: 'modelYear',
  body: 'bodyStyleNormalized',
  fuelType: 'specs.fuelType',
  displacementCc: 'specs.displacementCc',
  driveType: 'specs.driveType',
  transmission: 'specs.transmission',
  powerKw: 'specs.powerKw',
} as const satisfies Partial<Record<Field, string>>;

type Path = keyof typeof PATHS;

type Counts = Map<Path | 'engine', Count>;

interface Count {
  labeled: number;
  open: number;
  among: number;
  first: number;
  sizes: number[];
}

/**
 * Returns the chapter on candidates of a set: how often the true value is decoded or among the candidates, how often it
 * comes first and how many there are; and the fields that year, fuel and displacement as hints add to the answer.
 */
export function candidatesChapter(decoder: Decoder, labeled: readonly LabeledVin[]): string {
  const vins = labeled.filter(({ vin }) => readVin(vin).kind === 'vin');
  return [
    '| field | labeled | open | true value settled or among | first | candidates (median of open) |',
    '|---|--:|--:|--:|--:|--:|',
    ...fieldLines(decoder, vins),
    '',
    '| field | answered | right | with hints: answered | right |',
    '|---|--:|--:|--:|--:|',
    ...hintLines(decoder, vins),
  ].join('\n');
}

function fieldLines(decoder: Decoder, vins: readonly LabeledVin[]): string[] {
  const counts: Counts = new Map();
  for (const one of vins) {
    const answer = decoder.candidates(one.vin);
    for (const field of Object.keys(PATHS) as Path[]) countField(field, one, answer, counts);
    countEngine(one, answer, counts);
  }
  return [...counts].map(([field, { labeled, open, among, first, sizes }]) => {
    const shares = `${percent(among, labeled)} | ${percent(first, labeled)}`;
    return `| ${field} | ${labeled} | ${open} | ${shares} | ${median(sizes)} |`;
  });
}

function countField(field: Path, one: LabeledVin, answer: CandidatesAnswer, counts: Counts): void {
  const verdict = compareField(field, one, answer.report);
  if (verdict === 'unlabeled') return;
  const count = countOf(counts, field);
  const open = answer.open.find((known) => known.field === PATHS[field]);
  const values: readonly (string | number)[] = open?.candidates ?? [];
  if (verdict === 'unanswered') {
    count.open++;
    if (values.length > 0) count.sizes.push(values.length);
  }
  const places = values.map((value) => compareField(field, one, withValue(answer.report, field, value)) === 'right');
  if (verdict === 'right' || places.includes(true)) count.among++;
  if (verdict === 'right' || places[0] === true) count.first++;
}

/** Counts whether fuel and size of the label, and its power where it has one, are among the engines together. */
function countEngine(one: LabeledVin, { report, engines }: CandidatesAnswer, counts: Counts): void {
  const { fuelType, displacementCc } = one.expected;
  if (fuelType === undefined || displacementCc === undefined) return;
  const isRight = (engine: EngineVariant): boolean => {
    const vehicle = { ...report, specs: { ...report.specs, ...engine } };
    return (['fuelType', 'displacementCc', 'powerKw'] as const).every((field) =>
      ['right', 'unlabeled'].includes(compareField(field, one, vehicle)),
    );
  };
  const count = countOf(counts, 'engine');
  if (engines.length > 0) {
    count.open++;
    count.sizes.push(engines.length);
  }
  const isSettled = isRight({});
  if (isSettled || engines.some(isRight)) count.among++;
  if (isSettled || engines.slice(0, 1).some(isRight)) count.first++;
}

function countOf(counts: Counts, field: Path | 'engine'): Count {
  const count = counts.get(field) ?? { labeled: 0, open: 0, among: 0, first: 0, sizes: [] };
  counts.set(field, count);
  count.labeled++;
  return count;
}

function withValue(report: VehicleReport, field: Path, value: string | number): VehicleReport {
  const [group = '', name] = PATHS[field].split('.');
  if (name === undefined) return { ...report, [group]: String(value) };
  return { ...report, specs: { ...report.specs, [name]: value } };
}

/** Fields measured with hints; hints do not help themselves. */
const HELPED = [
  'model',
  'body',
  'powerKw',
  'transmission',
  'driveType',
  'displacementCc',
] as const satisfies readonly Path[];

function hintLines(decoder: Decoder, vins: readonly LabeledVin[]): string[] {
  return HELPED.map((field) => {
    const before = { answered: 0, right: 0 };
    const after = { answered: 0, right: 0 };
    let labeled = 0;
    for (const one of vins) {
      const hints = hintsOf(one);
      // A displacement that was given as a hint is not an answer.
      if (hints === undefined || (field === 'displacementCc' && hints.displacementCc !== undefined)) continue;
      const plain = compareField(field, one, decoder.decode(one.vin));
      if (plain === 'unlabeled') continue;
      labeled++;
      add(before, plain);
      add(after, compareField(field, one, decoder.candidates(one.vin, hints).report));
    }
    const cells = [before, after].flatMap(({ answered, right }) => [
      percent(answered, labeled),
      percent(right, answered),
    ]);
    return `| ${field} | ${cells.join(' | ')} |`;
  });
}

function add(count: { answered: number; right: number }, verdict: string): void {
  if (verdict !== 'unanswered') count.answered++;
  if (verdict === 'right') count.right++;
}

/** Returns year, fuel and displacement of the label; undefined if it has none of them. */
function hintsOf({ expected, yearBasis }: LabeledVin): Hints | undefined {
  const year = yearBasis === 'model-year' ? 'modelYear' : 'registrationYear';
  const fuel = expected.fuelType === undefined ? undefined : fuelWord(expected.fuelType);
  const form = readHints({ [year]: expected.modelYear, fuelType: fuel, displacementCc: expected.displacementCc });
  return form.kind === 'hints' && Object.keys(form.hints).length > 0 ? form.hints : undefined;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
