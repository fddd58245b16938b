import { checkDigitOf, FIRST_CODED_YEAR, openCatalog, parsePattern, YEAR_CODES, VIN_CHARACTERS } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { randomFrom } from '../testing/random.ts';
import { loadWorld } from './load.ts';
import type { VinLayout, WorldRow } from './model.ts';

const NOW = Date.UTC(2026, 10, 1);
const LATEST = 2027;
/** Rows are read by turns, so many VINs in one run; MARQUE_ROWS=all reads each. */
const VINS = process.env['MARQUE_ROWS'] === 'all' ? Infinity : 12_000;

/** "mazda/lines.csv:9 · ...BK (2003-2009)": the years of a row, as an explanation has them. */
const WINDOW = / \((?<from>\d*)-(?<to>\d*)\)$/;

const decoder = openCatalog(catalogFile(), { now: () => NOW });

const pick = randomFrom(20_261_128);

/** Returns a VIN that a row's code fits, with other characters at random and the year where its layout has one. */
function vinOf(layout: VinLayout, row: WorldRow, year: number): string {
  const vin = Array.from({ length: 17 }, () => VIN_CHARACTERS.charAt(pick(VIN_CHARACTERS.length)));
  for (let at = 11; at < 17; at++) vin[at] = String(pick(10));
  const when = layout.when[pick(layout.when.length)];
  for (const pattern of [when, row.pattern]) {
    if (pattern === undefined) continue;
    for (const [at, set] of parsePattern(pattern).entries()) {
      if (set !== undefined) vin[at] = set.charAt(pick(set.length));
    }
  }
  if (row.serial !== undefined)
    for (const [at, character] of [...(row.serial[pick(2)] ?? '')].entries()) vin[12 + at] = character;
  const wmi = layout.wmis[pick(layout.wmis.length)] ?? '';
  for (const [at, character] of [...wmi].entries()) vin[at < 3 ? at : at + 8] = character;
  const place = layout.year === 'position-10' ? 9 : layout.year === 'position-11' ? 10 : -1;
  if (place >= 0) vin[place] = YEAR_CODES.charAt((year - FIRST_CODED_YEAR) % YEAR_CODES.length);
  const text = vin.join('');
  return layout.checkDigit === 'none' ? text : text.slice(0, 8) + checkDigitOf(text) + text.slice(9);
}

/** Returns the year before a row's first, and the second one after its last: a model year begins in the year before. */
function outside({ years: [from, to] }: WorldRow): number[] {
  return [from === null ? 0 : from - 1, to === null ? LATEST + 1 : to + 2].filter(
    (year) => year >= FIRST_CODED_YEAR && year <= LATEST,
  );
}

/** Returns the rows that an explanation gives for a value although they exclude the model year of the report. */
function strayRows(vin: string): string[] {
  const { report, fields } = decoder.explain(vin);
  if (report.modelYear === undefined) return [];
  const year = Number(report.modelYear);
  const rows = new Set(fields.flatMap((field) => field.rows.map(({ row }) => row)));
  return [...rows].filter((row) => {
    const { from = '', to = '' } = WINDOW.exec(row)?.groups ?? {};
    return (from !== '' && year < Number(from)) || (to !== '' && year > Number(to) + 1);
  });
}

test('no row answers outside its years', () => {
  const drawn = loadWorld().flatMap((layout) =>
    layout.rows.flatMap((row) => outside(row).map((year) => ({ layout, row, year }))),
  );
  const share = Math.min(1, VINS / drawn.length);
  const wrong: string[] = [];
  for (const { layout, row, year } of drawn) {
    if (pick(1_000) >= share * 1_000) continue;
    const vin = vinOf(layout, row, year);
    for (const stray of strayRows(vin)) wrong.push(`${vin}, asked by ${row.origin} for ${year}: ${stray}`);
  }
  expect(wrong).toEqual([]);
}, 600_000);
