import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

/** Sources round to a tenth of a liter. */
const TOLERANCE_CC = 60;

const { sources } = loadSpecs();
const rows = sources.find(({ id }) => id === 'gearbox-by-engine')?.rows ?? [];
const lists = sources.filter(({ id, market }) => market === 'europe' && /^(?:vca|ademe)/.test(id));
const families = Map.groupBy(rows, ({ make, model, generation = '' }) => `${make}|${model}|${generation}`);

const isManual = (gearbox = ''): boolean => gearbox.startsWith('Manual');

function isOfEngine(row: SpecRow, fuel: string, cc: number): boolean {
  return row.fuel === fuel && (row.cc === undefined || Math.abs(row.cc - cc) <= TOLERANCE_CC);
}

test('a family has engines of one kind of gearbox, and not all of the same kind', () => {
  expect(families.size).toBeGreaterThan(40);
  const useless = [...families].filter(([, engines]) => {
    const perEngine = Map.groupBy(engines, ({ fuel, cc, from }) => `${fuel} ${cc} ${from}`);
    const kinds = new Set(engines.map(({ gearbox }) => isManual(gearbox)));
    return kinds.size < 2 || ![...perEngine.values()].some(({ length }) => length === 1);
  });
  expect(useless.map(([family]) => family)).toEqual([]);
});

test('an official list that names sizes knows no other kind of gearbox of such an engine', () => {
  const wrong = lists.flatMap((list) =>
    list.rows.flatMap((listed) => {
      const { make, model, generation, fuel = '', cc, gearbox } = listed;
      if (cc === undefined || gearbox === undefined) return [];
      const ofEngine = rows.filter(
        (row) =>
          row.make === make &&
          row.model.split(' / ').includes(model) &&
          (generation === undefined || row.generation === generation) &&
          row.from <= listed.from &&
          listed.to <= row.to &&
          isOfEngine(row, fuel, cc),
      );
      return ofEngine.length === 0 || ofEngine.some((row) => isManual(row.gearbox) === isManual(gearbox))
        ? []
        : [`${list.id}: ${make} ${model} ${fuel} ${cc} ${gearbox}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('the facts about VINs know no other kind of gearbox of such an engine', () => {
  const wrong = loadWorld().flatMap(({ make, rows: facts }) =>
    facts.flatMap(({ outputs }) => {
      const { model = '', generation = '', fuelType = '', displacementCc: cc, transmission } = outputs;
      if (cc === undefined || transmission === undefined) return [];
      const family = families.get(`${outputs.make ?? make}|${model}|${generation}`) ?? [];
      const ofEngine = family.filter((row) => isOfEngine(row, fuelType, cc));
      return ofEngine.length === 0 || ofEngine.some((row) => isManual(row.gearbox) === isManual(transmission))
        ? []
        : [`${make} ${model} ${generation} ${fuelType} ${cc}: ${transmission}`];
    }),
  );
  expect(wrong).toEqual([]);
});
