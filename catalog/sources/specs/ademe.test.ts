import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { SpecRow } from '../../src/specs/columns.ts';
import { ofSameGenerations, readAdemeLabels } from './ademe.ts';
import { Families } from './names.ts';
import { weightsOf, withClosedBodies } from './weights.ts';

const OCTAVIA = { make: 'Skoda', model: 'Octavia' };
/** A car of the list of 2024, by its name, its fuel, and the power of its motor. */
const car = (name: string, energy: string, motor: string): string =>
  `SKODA;OCTAVIA;${name};${energy};BREAK;1498;110,000;${motor};1300;AUTOMATIQUE;7`;
const GENERATIONS: readonly SpecRow[] = [
  { ...OCTAVIA, generation: 'II', from: 2004, to: 2013 },
  { ...OCTAVIA, generation: 'III', from: 2013, to: 2020 },
];

test('a list covers no years in which another generation was sold', () => {
  const row = { ...OCTAVIA, from: 2013, to: 2015 };
  expect(ofSameGenerations([row], GENERATIONS, 2014)).toEqual([{ ...row, from: 2014 }]);
  expect(ofSameGenerations([{ ...row, model: 'Fabia' }], GENERATIONS, 2014)).toEqual([{ ...row, model: 'Fabia' }]);
  const ofWagons = GENERATIONS.map((generation) => Object.assign({ body: 'wagon' }, generation));
  expect(ofSameGenerations([{ ...row, body: 'hatchback' }], ofWagons, 2014)).toEqual([{ ...row, body: 'hatchback' }]);
});

test('a car without a body in the list is not a wagon if the list has wagons', () => {
  const row = { ...OCTAVIA, from: 2014, to: 2015, curbKg: 1180 };
  const wagon = { ...row, body: 'wagon', curbKg: 1210 };
  const bodies = ['hatchback', 'wagon'].map((body) => Object.assign({ body, from: 2013, to: 2020 }, OCTAVIA));
  expect(withClosedBodies([row, wagon], bodies)).toEqual([{ ...row, body: 'hatchback' }, wagon]);
  expect(withClosedBodies([row], bodies)).toEqual([row]);
  expect(withClosedBodies([row, wagon], [])).toEqual([row, wagon]);
});

test('a hybrid with a small motor and no plug burns gasoline, and its weight is for its own years only', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ademe-')), 'labels.csv');
  const head =
    'Marque;Libellé modèle;Description Commerciale;Energie;Carrosserie;Cylindrée;Puissance maximale;Puissance nominale électrique;Poids à vide;Type de boite;Nombre rapports';
  const cars = [
    car('1.5 TSI', 'ESSENCE', ''),
    car('1.5 TSI DSG7', 'ESS+ELEC HNR', '0,000'),
    car('1.5 full', 'ESS+ELEC HNR', '37,000'),
  ];
  writeFileSync(file, [head, ...cars].join('\n'));
  const families = new Families([{ ...OCTAVIA, badges: new Set() }], 'make,pattern,model\n');
  const rows = await readAdemeLabels(file, families);
  expect(rows.map(({ fuel, powerKw }) => [fuel, powerKw])).toEqual([
    ['Gasoline', 110],
    ['Gasoline', 110],
    ['Hybrid', undefined],
  ]);
  const generation: SpecRow = { ...OCTAVIA, generation: 'IV', body: 'wagon', from: 2020, to: 2026 };
  const lists = [
    { id: 'ademe-2024', rows },
    { id: 'europe', rows: [generation] },
  ].map((list) => Object.assign({ market: 'europe', basis: 'registered', coverage: 'all', title: '' } as const, list));
  expect(weightsOf(lists, []).map(({ fuel, from }) => [fuel, from])).toEqual([
    ['Gasoline', 2020],
    ['Hybrid', 2020],
  ]);
});
