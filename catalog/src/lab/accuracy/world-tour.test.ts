import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';
import { readCsv } from '../../csv.ts';
import { CATALOG_ROOT, FACTS_ROOT } from '../../root.ts';
import { compareField } from '../../labels/compare.ts';
import { readLabeled } from '../../labels/labeled.ts';

const FILE = join(CATALOG_ROOT, 'fixtures', 'world-tour.jsonl');

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const tour = readLabeled(FILE).map((one) => ({ one, report: decoder.decode(one.vin) }));

const modelOf = ({ one, report }: (typeof tour)[number]): string => compareField('model', one, report);

test("at least 85 in 100 of the world's best-selling models are named, and none wrongly", () => {
  expect(tour.length).toBeGreaterThanOrEqual(200);
  expect(tour.filter((stop) => modelOf(stop) === 'wrong').map(({ one }) => one.vin)).toEqual([]);
  expect(tour.filter((stop) => modelOf(stop) === 'right').length / tour.length).toBeGreaterThanOrEqual(0.85);
});

test('no model year of the tour is wrong', () => {
  expect(
    tour.filter(({ one, report }) => compareField('modelYear', one, report) === 'wrong').map(({ one }) => one.vin),
  ).toEqual([]);
});

test('the tour calls at every continent', () => {
  const regions = new Set(tour.map(({ report }) => report.region));
  for (const region of ['Africa', 'Asia', 'Europe', 'North America', 'Oceania', 'South America']) {
    expect(regions).toContain(region);
  }
});

test('every line of the tour names a source that the facts know', () => {
  const sources = readCsv(readFileSync(join(FACTS_ROOT, 'world', 'sources.csv'), 'utf8'));
  const known = new Set(sources.rows.map(({ cells }) => cells[0]));
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  const unknown = lines.filter((line) => !known.has((JSON.parse(line) as { source?: string }).source ?? ''));
  expect(unknown).toEqual([]);
});
