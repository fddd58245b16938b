import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT, ensureCatalog, randomNumbers, readLabeled } from '@marque/catalog';
import { type Decoder, type Hints, openCatalog } from '@marque/decoder';

import type { Ratio } from './ratio.ts';

export const name = 'candidates';
export const title = 'Candidates of masked VINs: any number of characters masked, with and without hints';

/** One car of the evaluation set of so many. */
const EVERY = 25;
/** The WMI is asked for, so that 14 characters may be masked. */
const WMI = 3;
const MASKABLE = 14;
const ROUNDS = 3;
const SLOWEST = 10;

const HINTS: readonly Hints[] = [
  {},
  { fuelType: 'Diesel', powerKw: 100 },
  { modelYear: 2012, displacementCc: 1598 },
  { market: 'North America', bodyStyleNormalized: 'suv' },
];

interface Question {
  vin: string;
  hints: Hints;
  /** The least of several rounds: others on the machine make one longer, never shorter. */
  ms: number;
}

/**
 * Masks each car's VIN with each number of characters, at places chosen by chance, and times each answer as the first
 * of its kind.
 */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const { file } = ensureCatalog();
  const questions = questionsOf();
  for (let round = 0; round < ROUNDS; round++) {
    // An answer that was given before is given from memory.
    const decoder = openCatalog(file);
    warm(decoder);
    for (const question of questions) question.ms = Math.min(question.ms, timeOf(decoder, question));
  }
  const sorted = questions.toSorted((a, b) => a.ms - b.ms);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]?.ms ?? 0;
  const quick = sorted.filter(({ ms }) => ms < 1).length / sorted.length;
  print(`${sorted.length} masks: p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms (aim 10 ms)`);
  print(`${(quick * 100).toFixed(0)} % take less than 1 ms; the slowest:`);
  for (const { vin, hints, ms } of sorted.slice(-SLOWEST).toReversed()) {
    print(`  ${ms.toFixed(1).padStart(5)} ms  ${vin} ${JSON.stringify(hints)}`);
  }
  return [
    {
      what: 'Time of candidates at p99',
      beside: 'their median',
      ratio: at(0.99) / at(0.5),
      users: {
        question: 'How long does it take to list what a VIN with up to twelve unreadable characters can be?',
        answer: `${at(0.5).toFixed(1)} ms (p99 ${at(0.99).toFixed(0)} ms)`,
      },
    },
  ];
}

function questionsOf(): Question[] {
  const folder = join(CATALOG_ROOT, 'evaluation');
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const vins = files
    .flatMap((file) => readLabeled(join(folder, file)).map(({ vin }) => vin))
    .filter((vin, index) => index % EVERY === 0 && /^[A-HJ-NPR-Z0-9]{17}$/.test(vin));
  const random = randomNumbers(1);
  return vins.flatMap((vin, car) =>
    Array.from({ length: MASKABLE }, (_, index) => {
      const hints = HINTS[(car + index) % HINTS.length] ?? {};
      return { vin: masked(vin, index + 1, random), hints, ms: Infinity };
    }),
  );
}

function masked(vin: string, count: number, random: () => number): string {
  const places = Array.from({ length: MASKABLE }, (_, at) => ({ at: WMI + at, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count);
  return Array.from(vin, (character, at) => (places.some((place) => place.at === at) ? '*' : character)).join('');
}

function warm(decoder: Decoder): void {
  for (const vin of ['WVWZZZ1KZC*******', '1HGCM8263********'])
    for (const hints of HINTS) decoder.candidates(vin, hints);
}

function timeOf(decoder: Decoder, { vin, hints }: Question): number {
  const began = performance.now();
  decoder.candidates(vin, hints);
  return performance.now() - began;
}
