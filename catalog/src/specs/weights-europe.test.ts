import { expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const rowsOf = (id: string): readonly SpecRow[] => sources.find((source) => source.id === id)?.rows ?? [];
const listed = Map.groupBy(
  ['ademe-2014', 'ademe-2024', 'epa', 'omega'].flatMap(rowsOf),
  ({ make, model }) => `${make}|${model}`,
);

const TOLERANCE = 0.03;
/** Engines of about one power have about one weight. */
const ALIKE = 0.2;

test('a weight from general knowledge is within 3 % of one that a list has of the model with an engine like it', () => {
  const alone = rowsOf('weights-europe').filter(({ make, model, fuel, body, powerKw, curbKg = 0 }) =>
    (listed.get(`${make}|${model}`) ?? []).every((other) => {
      if (other.curbKg === undefined || other.fuel !== fuel) return true;
      if (other.body !== undefined && other.body !== body) return true;
      const isUnlike = powerKw !== undefined && Math.abs((other.powerKw ?? powerKw) - powerKw) > powerKw * ALIKE;
      return isUnlike || Math.abs(other.curbKg - curbKg) > curbKg * TOLERANCE;
    }),
  );
  expect(
    alone.map(({ make, model, generation, cc, curbKg }) => `${make} ${model} ${generation} ${cc}: ${curbKg}`),
  ).toEqual([]);
});
