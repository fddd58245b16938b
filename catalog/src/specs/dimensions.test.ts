import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

type Range = readonly [from: number, to: number];
type Ranges = Readonly<Record<'lengthMm' | 'widthMm' | 'heightMm' | 'wheelbaseMm' | 'curbKg' | 'grossKg', Range>>;

/** Road vehicles that their makers list, from a moped to a touring motorcycle and from a minibus to one of 19 m. */
const RANGES: Readonly<Record<string, Ranges>> = {
  motorcycle: {
    lengthMm: [1650, 2650],
    widthMm: [600, 1100],
    heightMm: [900, 1550],
    wheelbaseMm: [1100, 1750],
    curbKg: [80, 420],
    grossKg: [150, 700],
  },
  bus: {
    lengthMm: [5900, 18_750],
    widthMm: [1900, 2550],
    heightMm: [2400, 4100],
    wheelbaseMm: [3000, 7500],
    curbKg: [2000, 20_000],
    grossKg: [2500, 32_000],
  },
  truck: {
    lengthMm: [3700, 12_000],
    widthMm: [1450, 2600],
    heightMm: [1750, 4000],
    wheelbaseMm: [2000, 7000],
    curbKg: [800, 20_000],
    grossKg: [1500, 50_000],
  },
};

const tables = loadSpecs().sources.filter(({ id }) => /^dimensions-(?:heavy|motorcycles)$/.test(id));
const rows = tables.flatMap(({ id, rows: all }) => all.map((row) => ({ id, row })));
const nameOf = ({ make, model, vin = '' }: SpecRow): string => `${make}|${model}|${vin}`;

/** The bodies and types, in lower case, of each model that the facts about VINs name. */
const kinds = new Map<string, Set<string>>();
for (const { make = '', vehicleType = '', rows: facts } of loadWorld()) {
  for (const { outputs } of facts) {
    const name = `${outputs.make ?? make}|${outputs.model ?? ''}`;
    const kind = outputs.body ?? outputs.vehicleType ?? vehicleType;
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind.toLowerCase()));
  }
}

test('a bus, truck or motorcycle is named as the facts about VINs name it, or no VIN finds it', () => {
  const makes = new Set([...kinds.keys()].map((name) => name.split('|')[0]));
  const unknown = rows.filter(({ row }) => makes.has(row.make) && !kinds.has(`${row.make}|${row.model}`));
  expect(unknown.map(({ id, row }) => `${id}: ${nameOf(row)}`)).toEqual([]);
});

test('a bus, truck or motorcycle has the size of one', () => {
  const wrong = rows.flatMap(({ id, row }) => {
    const ofKind = [...(kinds.get(`${row.make}|${row.model}`) ?? [])].flatMap((kind) => RANGES[kind] ?? []);
    return ofKind.flatMap((ranges) =>
      (Object.keys(ranges) as (keyof Ranges)[]).flatMap((column) => {
        const value = row[column];
        const [from, to] = ranges[column];
        return value === undefined || (from <= value && value <= to)
          ? []
          : [`${id}: ${nameOf(row)} ${column} ${value}`];
      }),
    );
  });
  expect(rows.length).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
});

test('no weight is a length that stands in the wrong column', () => {
  const wrong = rows.filter(({ row }) =>
    [row.lengthMm, row.widthMm, row.heightMm, row.wheelbaseMm].some(
      (length) => length !== undefined && (length === row.curbKg || length === row.grossKg),
    ),
  );
  expect(wrong.map(({ id, row }) => `${id}: ${nameOf(row)}`)).toEqual([]);
});

test('two rows of a model for one year and one VIN do not differ', () => {
  const seen = new Map<string, SpecRow[]>();
  for (const { id, row } of rows) seen.set(`${id}|${nameOf(row)}`, [...(seen.get(`${id}|${nameOf(row)}`) ?? []), row]);
  const both = [...seen].filter(([, of]) =>
    of.some((one, at) => of.slice(at + 1).some((other) => one.from <= other.to && other.from <= one.to)),
  );
  expect(both.map(([name]) => name)).toEqual([]);
});
