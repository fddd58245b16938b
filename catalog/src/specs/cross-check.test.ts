import { expect, test } from 'vitest';

import { crossCheckDimensions } from './cross-check.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const KNOWN = ['dimensions', 'loads', 'europe'];
// Another market's car of the same name is often another one.
const others = sources.filter(({ id, market }) => !KNOWN.includes(id) && market !== 'elsewhere');

test.each(KNOWN)(
  'no value of %s, written from general knowledge, is contradicted by those who measured the car',
  (id) => {
    const known = sources.find((source) => source.id === id);
    if (known === undefined) throw new Error(`There is no table ${id}.`);
    const checks = [...crossCheckDimensions(known, others)];
    expect(checks.flatMap(([column, { contradicted }]) => contradicted.map((fault) => `${column}: ${fault}`))).toEqual(
      [],
    );
    expect(checks.some(([, { confirmed }]) => confirmed > 40)).toBe(true);
  },
);

test('a value more than 3 % from a measured one is contradicted, and one that was not measured is not', () => {
  const car = { make: 'Audi', model: 'A1', from: 2010, to: 2018, body: 'hatchback' };
  const table = { market: 'europe', basis: 'registered', coverage: 'all', title: 'Some list' } as const;
  const check = (lengthMm: number, body = 'hatchback') =>
    crossCheckDimensions({ ...table, id: 'known', rows: [{ ...car, body, lengthMm }] }, [
      { ...table, id: 'measured', rows: [{ ...car, from: 2012, to: 2012, lengthMm: 4000 }] },
    ]).get('lengthMm');
  expect(check(3954)).toMatchObject({ confirmed: 1, contradicted: [] });
  expect(check(3700)).toMatchObject({ confirmed: 0, contradicted: [expect.stringContaining('3700, not 4000')] });
  expect(check(3700, 'van')).toMatchObject({ unknown: 1, contradicted: [] });
});
