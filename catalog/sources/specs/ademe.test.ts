import { expect, test } from 'vitest';

import type { SpecRow } from '../../src/specs/columns.ts';
import { ofSameGenerations } from './ademe.ts';
import { withClosedBodies } from './weights.ts';

const OCTAVIA = { make: 'Skoda', model: 'Octavia' };
const GENERATIONS: readonly SpecRow[] = [
  { ...OCTAVIA, generation: 'II', from: 2004, to: 2013 },
  { ...OCTAVIA, generation: 'III', from: 2013, to: 2020 },
];

test('a list says nothing of years in which another generation was sold', () => {
  const row = { ...OCTAVIA, from: 2013, to: 2015 };
  expect(ofSameGenerations([row], GENERATIONS, 2014)).toEqual([{ ...row, from: 2014 }]);
  expect(ofSameGenerations([{ ...row, model: 'Fabia' }], GENERATIONS, 2014)).toEqual([{ ...row, model: 'Fabia' }]);
  const ofWagons = GENERATIONS.map((generation) => Object.assign({ body: 'wagon' }, generation));
  expect(ofSameGenerations([{ ...row, body: 'hatchback' }], ofWagons, 2014)).toEqual([{ ...row, body: 'hatchback' }]);
});

test('what a list leaves without a body is no wagon where the list has wagons', () => {
  const row = { ...OCTAVIA, from: 2014, to: 2015, curbKg: 1180 };
  const wagon = { ...row, body: 'wagon', curbKg: 1210 };
  const bodies = ['hatchback', 'wagon'].map((body) => Object.assign({ body, from: 2013, to: 2020 }, OCTAVIA));
  expect(withClosedBodies([row, wagon], bodies)).toEqual([{ ...row, body: 'hatchback' }, wagon]);
  expect(withClosedBodies([row], bodies)).toEqual([row]);
  expect(withClosedBodies([row, wagon], [])).toEqual([row, wagon]);
});
