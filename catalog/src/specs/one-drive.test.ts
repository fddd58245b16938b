import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const rowsOf = (table: string): readonly SpecRow[] => sources.find(({ id }) => id === table)?.rows ?? [];
/** The others are by engine. */
const isFamily = ({ fuel, cc }: SpecRow): boolean => fuel === undefined && cc === undefined;
const rows = rowsOf('one-drive');
const families = rows.filter(isFamily);

test.each(['one-drive', 'one-drive-elsewhere'])(
  'a family of %s is of one drive wherever the facts about the world’s VINs name its wheels',
  (table) => {
    const known = rowsOf(table).filter(isFamily);
    expect(known.length).toBeGreaterThan(100);
    const drives = new Map(known.map((row) => [`${row.make}|${row.model}|${row.generation ?? ''}`, row.drive]));
    const contradicted = new Set<string>();
    for (const { make, rows } of loadWorld()) {
      for (const { outputs } of rows) {
        if (outputs.model === undefined || outputs.driveType === undefined) continue;
        const family = `${outputs.make ?? make}|${outputs.model}`;
        const drive = drives.get(`${family}|${outputs.generation ?? ''}`) ?? drives.get(`${family}|`);
        if (drive !== undefined && drive !== outputs.driveType) contradicted.add(`${family}: ${outputs.driveType}`);
      }
    }
    expect([...contradicted]).toEqual([]);
  },
);

test('a list of variants knows no other wheels of such a family', () => {
  const lists = sources.filter(({ market, id }) => market === 'europe' && id !== 'one-drive');
  const wrong = lists.flatMap(({ id, rows }) =>
    rows
      .filter(({ drive }) => drive !== undefined)
      .flatMap((row) => {
        const ofFamily = families.find(
          (family) =>
            family.make === row.make &&
            family.model === row.model &&
            (family.generation === undefined || family.generation === row.generation),
        );
        return ofFamily === undefined || ofFamily.drive === row.drive
          ? []
          : [`${id}: ${row.make} ${row.model} ${row.badge}`];
      }),
  );
  expect(wrong).toEqual([]);
});

test('a family whose engine determines its wheels has no line for all engines, and engines of both kinds', () => {
  const byEngine = new Set(rows.filter((row) => !families.includes(row)).map(({ make, model }) => `${make}|${model}`));
  const whole = families.filter(
    ({ make, model, generation }) => generation === undefined && byEngine.has(`${make}|${model}`),
  );
  expect(whole).toEqual([]);
  const fuels = Map.groupBy(rows, ({ make, model, generation }) => `${make} ${model} ${generation ?? ''}`);
  const single = [...fuels].filter(
    ([, engines]) =>
      engines.some(({ fuel }) => fuel !== undefined) && new Set(engines.map(({ drive }) => drive)).size < 2,
  );
  // Otherwise a row without engines gives the same in one line.
  expect(single.map(([family]) => family)).toEqual([]);
});

test('a row about a generation has its years, or it would speak of every car whose generation is open', () => {
  const endless = sources
    .filter(({ id }) => id.startsWith('one-'))
    .flatMap(({ id, rows }) => rows.map((row) => ({ id, row })))
    .filter(({ row }) => row.generation !== undefined && row.from === 1980 && row.to === 2027);
  expect(endless.map(({ id, row }) => `${id}: ${row.make} ${row.model} ${row.generation}`)).toEqual([]);
});

test('a family of which engines are listed has those of every fuel, or it would tell the fuel', () => {
  const byFamily = Map.groupBy(rows, ({ make, model, generation = '' }) => `${make} ${model} ${generation}`);
  const ofOneFuel = [...byFamily].filter(
    ([, of]) => of[0]?.fuel !== undefined && new Set(of.map((row) => row.fuel)).size < 2,
  );
  expect(ofOneFuel.map(([family]) => family)).toEqual([]);
});
