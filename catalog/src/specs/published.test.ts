import { readFileSync } from 'node:fs';

import { openSpecs, type KnownOfCar, SPEC_MARKETS, writeContainer } from '@marque/decoder/format';
import { beforeAll, expect, test } from 'vitest';

import type { Sections } from '../binary/sections.ts';
import { StringTable } from '../binary/string-table.ts';
import { csvLines } from '../csv.ts';
import { compileSpecs } from './compile.ts';
import { loadSpecs } from './load.ts';

/** Published figures and how far an answer may be from them. */
const FIGURES = [
  { column: 'powerKw', field: 'powerKw', within: (published: number) => published * 0.05 },
  { column: 'batteryKwh', field: 'batteryCapacityKwh', within: () => 3 },
  { column: 'lengthMm', field: 'lengthMm', within: () => 75 },
  { column: 'widthMm', field: 'widthMm', within: () => 75 },
  { column: 'wheelbaseMm', field: 'wheelbaseMm', within: () => 75 },
  { column: 'cargoMaxL', field: 'cargoVolumeMaxLiters', within: (published: number) => published * 0.05 },
  { column: 'clearanceMm', field: 'groundClearanceMm', within: (published: number) => published * 0.1 },
] as const;

const [header = [], ...lines] = csvLines(readFileSync(new URL('published.csv', import.meta.url), 'utf8'));
const vehicles = lines.map((fields) => new Map(header.map((name, index) => [name, fields[index] ?? ''])));
const found: { vehicle: string; field: string; published: number; answer: number; within: number }[] = [];

beforeAll(() => {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileSpecs(loadSpecs(), strings, sections);
  const join = openSpecs(writeContainer({}, new Map([...strings.sections(), ...sections])));
  for (const vehicle of vehicles) {
    const market = SPEC_MARKETS.find((known) => known === vehicle.get('market')) ?? 'north-america';
    const answers = join(saidOf(vehicle), market, vehicle.get('vin') || undefined);
    for (const { column, field, within } of FIGURES) {
      const published = Number(vehicle.get(column));
      if (published === 0) continue;
      const answer = Number(answers.find((candidate) => candidate.field === field)?.value ?? 0);
      const name = [...vehicle.values()].slice(0, 5).join(' ');
      found.push({ vehicle: name, field, published, answer, within: within(published) });
    }
  }
});

function saidOf(vehicle: ReadonlyMap<string, string>): KnownOfCar {
  const text = (name: string): string => vehicle.get(name) ?? '';
  return {
    make: text('make'),
    model: text('model'),
    modelYear: Number(text('year')),
    generation: text('generation'),
    body: text('body') as NonNullable<KnownOfCar['body']>,
    fuelType: text('fuel'),
    displacementCc: Number(text('cc')),
    cylinders: Number(text('cylinders')),
    driveType: text('drive'),
    modelCode: text('trim'),
  };
}

test("the answers for 300 vehicles are their makers' published values", () => {
  expect(vehicles.length).toBeGreaterThanOrEqual(300);
  const wrong = found.filter(({ answer, published, within }) => answer !== 0 && Math.abs(answer - published) > within);
  expect(wrong).toEqual([]);
});

test('four in five of their published figures are answered', () => {
  const answered = found.filter(({ answer }) => answer !== 0);
  expect(answered.length / found.length).toBeGreaterThan(0.8);
});
