import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const rows = sources.flatMap(({ id, rows }) => (id === 'one-gearbox' || id === 'electric' ? rows : []));
const lists = sources.filter(
  ({ market, basis, id }) => market === 'europe' && basis === 'registered' && /^(?:vca|ademe)/.test(id),
);

const isManual = (gearbox: string): boolean => gearbox.startsWith('Manual');

function speaksOf(row: SpecRow, other: SpecRow): boolean {
  if (row.make !== other.make || row.model !== other.model) return false;
  if (row.from > other.to || other.from > row.to) return false;
  return row.fuel === undefined || row.fuel === other.fuel;
}

test('an official list knows no other kind of gearbox of a family that was built with one', () => {
  const listed = lists.flatMap((list) => list.rows.filter(({ gearbox }) => gearbox !== undefined));
  const byFamily = Map.groupBy(listed, ({ make, model }) => `${make}|${model}`);
  const wrong = rows.flatMap((row) =>
    (byFamily.get(`${row.make}|${row.model}`) ?? [])
      .filter((other) => row.gearbox !== undefined && speaksOf(row, other))
      .filter((other) => isManual(other.gearbox ?? '') !== isManual(row.gearbox ?? ''))
      .map((other) => `${row.make} ${row.model} ${row.generation ?? ''}: ${other.badge ?? ''} ${other.gearbox}`),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['sold in Europe', rows],
  ['sold elsewhere', sources.find(({ id }) => id === 'one-gearbox-elsewhere')?.rows ?? []],
])('the facts about VINs know no other kind of gearbox of such a family, %s', (_, known) => {
  const kinds = new Map(
    known
      .filter(({ fuel }) => fuel === undefined)
      .map((row) => [`${row.make}|${row.model}|${row.generation ?? ''}`, row.gearbox]),
  );
  const wrong = loadWorld().flatMap(({ make, rows: facts }) =>
    facts.flatMap(({ outputs }) => {
      const { model = '', generation = '', transmission } = outputs;
      const kind = kinds.get(`${outputs.make ?? make}|${model}|${generation}`);
      if (kind === undefined || transmission === undefined || isManual(kind) === isManual(transmission)) return [];
      return [`${make} ${model} ${generation}: ${transmission}`];
    }),
  );
  expect(wrong).toEqual([]);
});
