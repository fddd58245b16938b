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

test('no power from general knowledge is contradicted by the EPA’s tests of that engine', () => {
  const wrong = rowsOf('ratings').filter((row) => {
    const { vin, badge, fuel, drive, powerKw = 0 } = row;
    if (vin !== undefined) return false;
    const tests = (listed.get(`${row.make}|${row.model}`) ?? []).filter(
      (other) =>
        isSameEngine(row, other) &&
        other.powerKw !== undefined &&
        other.badge === badge &&
        other.fuel === fuel &&
        (drive === undefined || other.drive === drive),
    );
    return tests.length > 0 && !tests.some((other) => Math.abs((other.powerKw ?? 0) - powerKw) <= powerKw * 0.03);
  });
  expect(
    wrong.map(({ make, model, from, to, cc, powerKw }) => `${make} ${model} ${from}-${to} ${cc}: ${powerKw}`),
  ).toEqual([]);
});

/** Companies whose makes share engines. */
const SHARED = [
  ['Buick', 'Cadillac', 'Chevrolet', 'GMC', 'Hummer', 'Oldsmobile', 'Pontiac', 'Saturn'],
  ['Ford', 'Lincoln', 'Mazda', 'Mercury'],
  ['Chrysler', 'Dodge', 'Jeep'],
  ['Lexus', 'Toyota'],
  ['Acura', 'Honda'],
  ['Infiniti', 'Nissan'],
  ['Audi', 'Volkswagen'],
  ['Hyundai', 'Kia'],
];

/** EPA's tests have power from this model year on. */
const FIRST_TESTS = 2004;

test('a power of years before the EPA’s tests is one that they soon have of such an engine of the maker, within 3 %', () => {
  const tested = rowsOf('epa').filter(({ from, powerKw }) => from <= FIRST_TESTS + 4 && powerKw !== undefined);
  const early = rowsOf('ratings').filter(
    ({ from, to, cc, vin, badge, fuel }) =>
      fuel === 'Gasoline' &&
      cc !== undefined &&
      from < FIRST_TESTS &&
      to <= FIRST_TESTS &&
      vin === undefined &&
      badge === undefined,
  );
  const alone = early.filter(({ make, cc = 0, cylinders, powerKw = 0 }) => {
    const makes = SHARED.find((company) => company.includes(make)) ?? [make];
    return !tested.some(
      (other) =>
        makes.includes(other.make) &&
        other.cylinders === cylinders &&
        Math.abs((other.cc ?? 0) - cc) <= ROUNDING_CC &&
        Math.abs((other.powerKw ?? 0) - powerKw) <= powerKw * 0.03,
    );
  });
  expect(alone.map(({ make, model, from, cc, powerKw }) => `${make} ${model} ${from} ${cc}: ${powerKw}`)).toEqual([]);
});
