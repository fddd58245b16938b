import { expect, test } from 'vitest';

import { loadSpecs } from '../../src/specs/load.ts';
import { weightsOf } from './weights.ts';
import { mergeYears } from './write.ts';

const { sources } = loadSpecs();

test('the weights that are carried over to generations are those of the lists as they are', () => {
  expect(sources.find(({ id }) => id === 'weights')?.rows).toEqual(mergeYears(weightsOf(sources)));
});

test('a weight is carried over to the one generation that was on sale, by body and engine', () => {
  const weights = mergeYears(weightsOf(sources));
  const bodies = weights.filter(({ make, model, cc }) => make === 'Volkswagen' && model === 'Golf' && cc === 1600);
  expect(new Set(bodies.map(({ generation, body }) => `${generation} ${body}`))).toEqual(
    new Set(['VII hatchback', 'VII wagon']),
  );
  expect(weights.every(({ cc, badge, body }) => (cc ?? badge) !== undefined && body !== undefined)).toBe(true);
});
