import { expect, test } from 'vitest';

import { loadSpecs } from '../../src/specs/load.ts';
import { readListedGenerations } from './listed-generations.ts';
import { weightsOf } from './weights.ts';
import { mergeYears } from './write.ts';

const { sources } = loadSpecs();
const named = readListedGenerations();

test('the weights that are carried over to generations are those of the lists as they are', () => {
  expect(sources.find(({ id }) => id === 'weights')?.rows).toEqual(mergeYears(weightsOf(sources, named)));
});

test('a weight is carried over to the one generation that was on sale, by body and engine', () => {
  const weights = mergeYears(weightsOf(sources, named));
  const bodies = weights.filter(({ make, model, cc }) => make === 'Volkswagen' && model === 'Golf' && cc === 1600);
  expect(new Set(bodies.map(({ generation, body }) => `${generation} ${body}`))).toEqual(
    new Set(['VII hatchback', 'VII wagon']),
  );
  expect(weights.every(({ cc, badge, body }) => (cc ?? badge) !== undefined && body !== undefined)).toBe(true);
});

test('each body has the weights of its own generation, and all driven wheels theirs', () => {
  const of320d = weightsOf(sources, named).filter(
    ({ make, badge }) => make === 'BMW' && badge?.startsWith('320d') === true,
  );
  const heaviest = (badge: string, generation: string): number =>
    Math.max(
      ...of320d.filter((row) => row.badge === badge && row.generation === generation).map((row) => row.curbKg ?? 0),
    );
  expect(heaviest('320d', 'F30')).toBeLessThan(heaviest('320d', 'F31'));
  expect(heaviest('320d', 'F31')).toBeLessThan(heaviest('320d', 'F34'));
  expect(heaviest('320d', 'F31')).toBeLessThan(heaviest('320d xDrive', 'F31'));
});

test('of two generations that were on sale, the later is the one that the list calls new', () => {
  const weights = weightsOf(sources, named).filter(
    ({ make, model, body, fuel, powerKw, to }) =>
      make === 'Peugeot' && model === '308' && body === 'wagon' && fuel === 'Diesel' && powerKw === 68 && to < 2022,
  );
  expect(new Set(weights.map(({ generation }) => generation))).toEqual(new Set(['I', 'II']));
  const of = (name: string) => weights.filter(({ generation }) => generation === name).map(({ curbKg = 0 }) => curbKg);
  expect(Math.max(...of('II'))).toBeLessThan(Math.min(...of('I')));
});

test('of two generations that the list names otherwise, each has its own weights', () => {
  const qashqais = weightsOf(sources, named).filter(
    ({ make, model, to }) => make === 'Nissan' && model === 'Qashqai' && to < 2022,
  );
  const sizes = (name: string) =>
    new Set(qashqais.filter(({ generation, fuel }) => generation === name && fuel === 'Gasoline').map(({ cc }) => cc));
  expect(sizes('J10')).toEqual(new Set([1600, 2000]));
  expect(sizes('J11')).toEqual(new Set([1200]));
});

test('cars with all wheels driven have weights of their own', () => {
  const combis = weightsOf(sources, named).filter(
    ({ make, model, generation, body, cc, fuel }) =>
      make === 'Skoda' &&
      model === 'Superb' &&
      generation === 'II' &&
      body === 'wagon' &&
      cc === 2000 &&
      fuel === 'Diesel',
  );
  const [all, others] = [true, false].map((isAll) =>
    combis.filter(({ powerKw, drive }) => powerKw === 103 && (drive === 'All-wheel drive') === isAll),
  );
  expect(Math.max(...(others ?? []).map(({ curbKg = 0 }) => curbKg))).toBeLessThan(
    Math.min(...(all ?? []).map(({ curbKg = 0 }) => curbKg)),
  );
});

test('if a list lacks the size of an engine, its power identifies the one that had it', () => {
  const ademe = sources.filter(({ id }) => id === 'europe' || id === 'ratings-europe');
  const megane = {
    make: 'Renault',
    model: 'Megane',
    from: 2014,
    to: 2014,
    body: 'wagon',
    fuel: 'Diesel',
    curbKg: 1308,
  };
  const weightOf = (powerKw: number) =>
    weightsOf(
      [
        ...ademe,
        {
          id: 'ademe-2014',
          market: 'europe',
          basis: 'registered',
          coverage: 'all',
          title: 'ADEME',
          rows: [{ ...megane, badge: 'MEGANE Estate dCi', powerKw }],
        },
      ],
      named,
    ).map(({ cc, generation, curbKg }) => ({ cc, generation, curbKg }));
  expect(weightOf(81)).toEqual([{ cc: 1461, generation: 'III', curbKg: 1308 }]);
  expect(weightOf(200)).toEqual([]);
});
