import { expect, test } from 'vitest';

import { openCatalog } from '@marque/decoder';

import type { LabeledVin } from '../../labels/labeled.ts';
import { catalogFile } from '../../root.ts';
import { interpret } from '../../world/interpret.ts';
import { readWorld } from '../../world/load.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { learn, type Learned } from './learn.ts';
import { randomNumbers } from '../random.ts';
import { writeLearned } from './write.ts';

const [FIRST_YEAR, YEARS, NUMBERS_A_YEAR] = [2005, 10, 40_000];
const PLANTS = 'ABCDEF';

/** A maker whose VINs have no year. */
const LAYOUTS = `about: A maker for tests.
layouts:
  - name: row
    about: All of its cars.
    make: Acme
    wmis: [ZZA]
    year: none
    check_digit: none
    tables: [models.csv]
`;

function folderOfFacts(): string {
  return factsFolder('positions,code,model,confidence,source\n', { 'acme/layouts.yaml': LAYOUTS });
}

/**
 * Generates cars of plants whose numbers rise from year to year, of types that have no year; a share has the year of
 * another car.
 */
function cars(count: number, { wrongShare = 0, seed = 1 } = {}): LabeledVin[] {
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, () => {
    const number = below(YEARS * NUMBERS_A_YEAR);
    const vin = `ZZA${10 + below(90)}ZZZ00${PLANTS.charAt(below(PLANTS.length))}${100_000 + number}`;
    const labeled = random() < wrongShare ? below(YEARS) : Math.floor(number / NUMBERS_A_YEAR);
    const modelYear = String(FIRST_YEAR + labeled);
    return { vin, expected: { manufacturer: 'Acme', modelYear }, yearBasis: 'model-year' };
  });
}

function learnFrom(labeled: readonly LabeledVin[], folder: string): Learned {
  return learn(labeled, readWorld(folder).layouts, openCatalog(catalogFile()));
}

function windowsIn({ tables }: Learned): unknown[] {
  return [...tables.values()].flat().filter((row) => row.model_year !== undefined);
}

/** Counts the answers of learned windows for cars that they were not learned from. */
function answersAfter(labeled: readonly LabeledVin[]): { answered: number; right: number; asked: number } {
  const folder = folderOfFacts();
  writeLearned(folder, learnFrom(labeled, folder));
  const { layouts } = readWorld(folder);
  const asked = cars(1_000, { seed: 2 });
  const answers = asked.map(({ vin, expected }) => ({ expected, year: interpret(layouts, vin)?.outputs.modelYear }));
  const answered = answers.filter(({ year }) => year !== undefined);
  const right = answered.filter(({ year, expected }) => String(year) === expected.modelYear);
  return { asked: asked.length, answered: answered.length, right: right.length };
}

test('windows of serial numbers give the year of unseen cars, plant by plant', () => {
  const { asked, answered, right } = answersAfter(cars(3_000));
  expect(answered / asked).toBeGreaterThan(0.8);
  expect(right / answered).toBeGreaterThan(0.99);
});

test('wrong years on one label in a hundred leave gaps, and no wrong windows', () => {
  const { asked, answered, right } = answersAfter(cars(3_000, { wrongShare: 0.01 }));
  expect(answered / asked).toBeGreaterThan(0.5);
  expect(right / answered).toBeGreaterThan(0.99);
});

test('serial numbers without an order of years give no windows', () => {
  const labeled = cars(3_000, { wrongShare: 1 });
  const learned = learnFrom(labeled, folderOfFacts());
  expect(windowsIn(learned)).toEqual([]);
  expect(learned.proven.find(({ field }) => field === 'modelYear')?.fewestGroups).toBeUndefined();
});

test('hidden serial numbers, cars without a year, and the cars of one group alone give nothing', () => {
  const labeled = cars(3_000);
  const hidden = labeled.map(({ vin, ...car }) =>
    Object.assign(car, { vin: `${vin.slice(0, 11)}0000${vin.slice(15)}` }),
  );
  expect(windowsIn(learnFrom(hidden, folderOfFacts()))).toEqual([]);
  const undated = labeled.map(({ vin, yearBasis }) => ({ vin, expected: { manufacturer: 'Acme' }, yearBasis }));
  expect(windowsIn(learnFrom(undated, folderOfFacts()))).toEqual([]);
  const alike = labeled.map((car) => Object.assign(car, { vin: `ZZA10ZZZ00A${car.vin.slice(11)}` }));
  expect(windowsIn(learnFrom(alike, folderOfFacts()))).toEqual([]);
});
