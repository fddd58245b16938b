import { expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const electric = sources.find(({ id }) => id === 'electric')?.rows ?? [];
const others = sources.filter(({ id }) => id !== 'electric');

const HELD = ['powerKw', 'batteryKwh', 'curbKg'] as const satisfies (keyof SpecRow)[];
const TOLERANCE = 0.03;

test('every power, battery and weight of an electric car is within 3 % of one that another list has of that model', () => {
  const known = others.flatMap(({ rows }) =>
    rows.filter(({ fuel }) => fuel === 'Electric' || fuel === 'Plug-in hybrid'),
  );
  const byModel = Map.groupBy(known, ({ make, model, fuel }) => `${make}|${model}|${fuel}`);
  const alone = electric.flatMap((row) =>
    HELD.flatMap((column) => {
      const value = row[column];
      if (value === undefined) return [];
      const names = new Set([row.model, ...row.model.split(' / ')]);
      const figures = [...names]
        .flatMap((model) => byModel.get(`${row.make}|${model}|${row.fuel}`) ?? [])
        .flatMap((other) => other[column] ?? []);
      if (figures.some((figure) => Math.abs(figure - value) <= value * TOLERANCE)) return [];
      return [`${row.make} ${row.model} ${row.from}: ${column} ${value}, not ${figures.join(', ')}`];
    }),
  );
  expect(alone).toEqual([]);
});

test('the list has only cars with a plug, so that it is asked for no other', () => {
  expect(electric.filter(({ fuel }) => fuel !== 'Electric' && fuel !== 'Plug-in hybrid')).toEqual([]);
  expect(electric.some(({ batteryKwh }) => batteryKwh !== undefined)).toBe(true);
});
