import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { openCatalog } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../root.ts';

type Row = [element: number, value: string | null, ...rest: unknown[]];

interface Answer {
  vin: string;
  rows: Row[];
}

const MODEL_YEAR = 29;
const ERROR_CODE = 143;

/**
 * Displacements: NHTSA's procedures in PostgreSQL gave the answers, and write more digits of a quotient than its own
 * service does; conversions.test.ts checks those.
 */
const CONVERTED: ReadonlySet<number> = new Set([11, 12, 13]);
const alike = (value: string | null): string => Number(value).toPrecision(8);

/** NHTSA's procedures were asked in 2026; the year window moves with the clock. */
const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

function answers(name: string): Answer[] {
  const file = new URL(`../../fixtures/vpic/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Answer);
}

function valueOf(rows: readonly Row[], element: number): string | undefined {
  return rows.find(([id]) => id === element)?.[1] ?? undefined;
}

describe.each(['answers-cars', 'answers-mutated'])('the vPIC view on %s', (name) => {
  const all = answers(name).map(({ vin, rows }) => ({ vin, wanted: rows, got: decoder.vpic(vin) as Row[] }));

  test("gives NHTSA's model year for every VIN", () => {
    for (const { vin, wanted, got } of all) {
      expect({ vin, year: valueOf(got, MODEL_YEAR) }).toEqual({ vin, year: valueOf(wanted, MODEL_YEAR) });
    }
  });

  test("gives NHTSA's set of error codes for every VIN", () => {
    for (const { vin, wanted, got } of all) {
      expect({ vin, codes: valueOf(got, ERROR_CODE) }).toEqual({ vin, codes: valueOf(wanted, ERROR_CODE) });
    }
  });

  test('gives the same when the year that it gave is asked for, but for the doubt about the year', () => {
    const ADDITIONAL_TEXT = 156;
    for (const { vin, got } of all) {
      const year = valueOf(got, MODEL_YEAR);
      if (year === undefined) continue;
      const asked = decoder.vpic(vin, Number(year)) as Row[];
      const compared = (rows: readonly Row[]) => rows.filter(([element]) => element !== ADDITIONAL_TEXT);
      expect({ vin, rows: compared(asked) }).toEqual({ vin, rows: compared(got) });
    }
  });

  test("gives at least 99.9 % of NHTSA's values, and as few of its own", () => {
    let [wantedCount, missing, extra] = [0, 0, 0];
    for (const { wanted, got } of all) {
      const key = ([element, value]: Row): string => `${element}\t${CONVERTED.has(element) ? alike(value) : value}`;
      const [wantedKeys, gotKeys] = [
        new Set(wanted.filter(([, value]) => value !== null).map(key)),
        new Set(got.map(key)),
      ];
      wantedCount += wantedKeys.size;
      missing += wantedKeys.difference(gotKeys).size;
      extra += gotKeys.difference(wantedKeys).size;
    }
    expect(missing / wantedCount).toBeLessThan(0.001);
    expect(extra / wantedCount).toBeLessThan(0.001);
  });
});
