import { couldBeFuel } from '@marque/decoder/format';
import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

/** Sources round to a tenth of a liter. */
const TOLERANCE_CC = 60;

const { sources } = loadSpecs();
const rows = sources.find(({ id }) => id === 'one-engine')?.rows ?? [];
const families = Map.groupBy(rows, ({ make, model, generation = '' }) => `${make}|${model}|${generation}`);
const lists = sources.filter(({ id, market }) => market === 'europe' && /^(?:vca|ademe)/.test(id));

const nameOf = ({ make, model, generation = '', fuel = '' }: SpecRow): string =>
  `${make} ${model} ${generation} ${fuel}`;

/** Returns the lines of official lists that belong to a family: its years contain theirs. */
function listed({ make, model, from, to }: SpecRow): SpecRow[] {
  return lists.flatMap((list) =>
    list.rows.filter((row) => row.make === make && row.model === model && from <= row.from && row.to <= to),
  );
}

test('an official list knows no other size with the fuel', () => {
  const wrong = rows.flatMap((row) =>
    listed(row)
      .filter(({ fuel, cc }) => cc !== undefined && row.cc !== undefined && (row.fuel ?? fuel) === fuel)
      .filter(({ cc = 0 }) => Math.abs(cc - (row.cc ?? 0)) > TOLERANCE_CC)
      .map(({ badge, cc }) => `${nameOf(row)}: ${badge} ${cc}`),
  );
  expect(wrong).toEqual([]);
});

test('the facts about VINs know no other size with the fuel', () => {
  const wrong = loadWorld().flatMap(({ make, rows: facts }) =>
    facts.flatMap(({ outputs }) => {
      const { model = '', generation = '', fuelType, displacementCc: cc } = outputs;
      if (fuelType === undefined || cc === undefined) return [];
      const family = families.get(`${outputs.make ?? make}|${model}|${generation}`) ?? [];
      return family
        .filter((row) => row.cc !== undefined && (row.fuel ?? fuelType) === fuelType)
        .filter((row) => Math.abs(cc - (row.cc ?? 0)) > TOLERANCE_CC)
        .map((row) => `${nameOf(row)}: ${cc}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test('a family has a row of each fuel that an official list has of it, or no fuel at all', () => {
  const lacking = [...families.values()].flatMap((family) => {
    if (family.some(({ fuel }) => fuel === undefined)) return [];
    const [first] = family;
    if (first === undefined) return [];
    const others = listed(first).filter(
      ({ fuel = '' }) => !family.some((row) => row.fuel === fuel || couldBeFuel(row.fuel ?? '', fuel)),
    );
    return others.map(({ fuel }) => `${nameOf(first)}: ${fuel}`);
  });
  expect([...new Set(lacking)]).toEqual([]);
});
