import { globSync } from 'node:fs';

import { CATALOG_ROOT, randomNumbers, readLabeled } from '@marque/catalog';
import { readVin, VIN_CHARACTERS } from '@marque/decoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { decoder } from '../testing/decoder.ts';
import { BASIC_NINE, faultsInReport } from '../testing/lawful-report.ts';
import { runningService, type RunningService, type WireAnswer } from '../testing/running.ts';

const RANDOM_VINS = 100_000;
const SEED = Number(process.env['MARQUE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const LABELED = globSync(['facts/labelled/*.jsonl', 'evaluation/*.jsonl'], { cwd: CATALOG_ROOT })
  .flatMap((file) => readLabeled(`${CATALOG_ROOT}/${file}`))
  .flatMap(({ vin }) => {
    const form = readVin(vin);
    return form.kind === 'vin' ? [form.vin] : [];
  });

/** VINs of which half begin like a labeled one, up to any position, so that catalogs know their beginning. */
function* randomVins(count: number): Generator<string> {
  const random = randomNumbers(SEED);
  const below = (end: number): number => Math.floor(random() * end);
  for (let made = 0; made < count; made++) {
    const start = made % 2 === 0 ? '' : (LABELED[below(LABELED.length)] ?? '').slice(0, 3 + below(12));
    // A text without any digit is not a VIN.
    yield `${start}${Array.from({ length: 16 - start.length }, () => VIN_CHARACTERS.charAt(below(33))).join('')}${below(10)}`;
  }
}

/** Returns the VINs whose reports break the specification, with their faults; and the number with a make. */
function surveyed(vins: Iterable<string>, report: (vin: string) => object): { faults: string[]; makes: number } {
  const faults: string[] = [];
  let makes = 0;
  for (const vin of vins) {
    const told = report(vin);
    if ('manufacturer' in told) makes++;
    faults.push(...faultsInReport(told).map((fault) => `${vin}: ${fault}`));
  }
  return { faults, makes };
}

describe('every report keeps to the specification', { timeout: 300_000 }, () => {
  test('of all labeled VINs', () => {
    const { faults, makes } = surveyed(LABELED, (vin) => decoder.decode(vin));
    expect(faults).toEqual([]);
    expect(makes / LABELED.length).toBeGreaterThan(0.9);
  });

  test(`of ${RANDOM_VINS} random VINs (seed ${SEED})`, () => {
    const { faults, makes } = surveyed(randomVins(RANDOM_VINS), (vin) => decoder.decode(vin));
    expect(faults).toEqual([]);
    // Both kinds must be there, or nothing was tested.
    expect(makes).toBeGreaterThan(RANDOM_VINS / 10);
    expect(makes).toBeLessThan(RANDOM_VINS * 0.9);
  });

  test('with hints, masked, and explained', () => {
    const some = [...randomVins(300)];
    const hints = { bodyStyleNormalized: 'suv', fuelType: 'Diesel', registrationYear: 2015 } as const;
    expect(surveyed(some, (vin) => decoder.candidates(vin).report).faults).toEqual([]);
    expect(surveyed(some, (vin) => decoder.candidates(vin, hints).report).faults).toEqual([]);
    expect(surveyed(some, (vin) => decoder.candidates(`${vin.slice(0, 11)}******`).report).faults).toEqual([]);
    expect(surveyed(some, (vin) => decoder.explain(vin).report).faults).toEqual([]);
  });
});

/** Reads the remaining decodes from body and headers, which must be one number. */
function left({ body, headers }: WireAnswer): number | null {
  const { remaining } = body.usage;
  expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining));
  return remaining;
}

describe.each(ENGINES)('over HTTP on %s', (engine) => {
  let service: RunningService;

  beforeAll(async () => {
    service = await runningService(engine, { PUBLIC_MONTHLY_LIMIT: '100' });
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const batch = async (vins: readonly string[], key?: string): Promise<WireAnswer & { reports: object[] }> => {
    const headers = key === undefined ? {} : { 'x-api-key': key };
    const told = await service.ask('/api/decode/batch', { headers, body: { vins } });
    return { ...told, reports: told.body.results.map(({ report }) => report) };
  };

  test('paid keys get the report as it is decoded, and each decode counts once, in body and headers', async () => {
    const key = await service.keyFor('business');
    const vins = [...LABELED.filter((_, index) => index % 13 === 0).slice(0, 900), ...randomVins(1_100)];
    let remaining = 5_000;
    for (let start = 0; start < vins.length; start += 1_000) {
      const sent = vins.slice(start, start + 1_000);
      const told = await batch(sent, key);
      expect(told.reports).toEqual(sent.map((vin) => decoder.decode(vin)));
      expect(told.body['charged']).toBe(sent.length);
      remaining -= sent.length;
      expect(left(told)).toBe(remaining);
    }
  });

  test.each(['free', 'public'] as const)('%s access gets the basic nine of the same report', async (access) => {
    const key = access === 'free' ? await service.keyFor('free') : undefined;
    const vins = LABELED.filter((_, index) => index % 149 === 0).slice(0, 80);
    for (let start = 0; start < vins.length; start += 10) {
      const sent = vins.slice(start, start + 10);
      const told = await batch(sent, key);
      const basic = sent.map((vin) => {
        const fields = Object.entries(decoder.decode(vin)).filter(([name]) => BASIC_NINE.includes(name));
        return Object.fromEntries(fields);
      });
      expect(told.reports).toEqual(basic);
      expect(left(told)).toBe(100 - start - sent.length);
    }
  });
});
