import { expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();

/** EPA rounds displacements to a tenth of a liter. */
const ROUNDING_CC = 60;

const rowsOf = (id: string): readonly SpecRow[] => sources.find((source) => source.id === id)?.rows ?? [];
const listed = Map.groupBy(rowsOf('epa'), ({ make, model }) => `${make}|${model}`);

function isSameEngine(row: SpecRow, other: SpecRow): boolean {
  if (row.from > other.to || other.from > row.to) return false;
  if (row.cylinders !== undefined && other.cylinders !== undefined && row.cylinders !== other.cylinders) return false;
  return Math.abs((row.cc ?? 0) - (other.cc ?? 0)) <= ROUNDING_CC;
}

test('one power is not given for an engine that was sold both with a charger and without', () => {
  const both = rowsOf('ratings')
    .filter(({ cc, badge, vin }) => cc !== undefined && badge === undefined && vin === undefined)
    .filter((row) => {
      const engines = (listed.get(`${row.make}|${row.model}`) ?? []).filter(
        (other) => isSameEngine(row, other) && other.badge === undefined && other.fuel === row.fuel,
      );
      return new Set(engines.map(({ charged }) => charged)).size > 1;
    });
  expect(both.map(({ make, model, from, to, cc }) => `${make} ${model} ${from}-${to} ${cc}`)).toEqual([]);
});
