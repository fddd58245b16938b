import type { KnownOfCar } from '@marque/decoder/format';
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import type { SpecFlag } from './load.ts';
import { civic, CIVIC, joining, table, values } from './testing/join.ts';

/** The values that a car gets from a table of one row. */
const valuesFrom = (flags: SpecFlag[], row: SpecRow, car: KnownOfCar) =>
  values(joining([table([row], { flags, market: 'europe' })])(car, 'europe'));

const fuelFrom = (flags: SpecFlag[], row: SpecRow, car: KnownOfCar) => valuesFrom(flags, row, car).fuelType;

/** The power that a car with this engine gets from a table with one engine. */
const powerFrom = (cc: number, displacementCc: number) =>
  values(joining([table([{ ...CIVIC, cc, powerKw: 175 }])])({ ...civic, displacementCc }, 'north-america')).powerKw;

describe('the join of a reading with the tables', () => {
  test('answers what all variants that the VIN allows share, and leaves the rest out', () => {
    const join = joining([
      table([
        { ...CIVIC, cc: 1800, gearbox: 'Manual, 5-speed', drive: 'Front-wheel drive', powerKw: 107, lengthMm: 4560 },
        { ...CIVIC, cc: 1800, gearbox: 'Automatic, CVT', drive: 'Front-wheel drive', powerKw: 107, lengthMm: 4590 },
        { ...CIVIC, cc: 2400, gearbox: 'Manual, 6-speed', drive: 'Front-wheel drive', powerKw: 153, lengthMm: 4590 },
      ]),
    ]);
    expect(values(join(civic, 'north-america'))).toEqual({ driveType: 'Front-wheel drive', lengthMm: 4590 });
    expect(values(join({ ...civic, displacementCc: 1798 }, 'north-america'))).toEqual({
      driveType: 'Front-wheel drive',
      lengthMm: 4560,
      powerKw: 107,
    });
    expect(values(join({ ...civic, displacementCc: 2354 }, 'north-america'))).toMatchObject({
      powerKw: 153,
      transmission: 'Manual, 6-speed',
    });
  });

  test('distinguishes two engines of nearly one size, unless a list rounds their sizes', () => {
    expect([1998, 2000].map((cc) => powerFrom(cc, 1987))).toEqual([undefined, 175]);
    expect([1998, 2000].map((cc) => powerFrom(cc, 1995))).toEqual([175, 175]);
  });

  test('answers of a model with two names what both families nearly share, and nothing where one is unknown', () => {
    const a6 = { make: 'Audi', model: 'A6', generation: 'C7', from: 2010, to: 2018 };
    const a7 = { ...a6, model: 'A7' };
    const rows = [
      { ...a6, lengthMm: 4915, widthMm: 1874, heightMm: 1455 },
      { ...a7, lengthMm: 4969, widthMm: 1880, heightMm: 0 },
    ];
    const said = { make: 'Audi', model: 'A6 / A7', generation: 'C7', modelYear: 2014 };
    const answered = (all: SpecRow[], model = 'A6 / A7') =>
      values(joining([table(all, { market: 'europe' })])({ ...said, model }, 'europe'));
    expect(answered(rows)).toEqual({ widthMm: 1874 });
    expect(answered(rows.slice(0, 1))).toEqual({});
    expect(answered(rows, 'A6 / A8')).toEqual({});
    expect(answered([...rows, { ...a6, model: 'A6 / A7', widthMm: 1874 }])).toEqual({ widthMm: 1874 });
  });

  test('takes no fuel from the range of one country, unless it knows the size of the engine', () => {
    const passat = { make: 'Volkswagen', model: 'Passat', from: 2013, to: 2015, fuel: 'Diesel', powerKw: 103 };
    const said: KnownOfCar = { make: 'Volkswagen', model: 'Passat', modelYear: 2014 };
    expect(fuelFrom(['one-country'], passat, said)).toBeUndefined();
    expect(fuelFrom(['one-country'], passat, { ...said, displacementCc: 1968 })).toBeUndefined();
    expect(fuelFrom(['one-country'], { ...passat, cc: 1968 }, said)).toBeUndefined();
    expect(fuelFrom(['one-country'], { ...passat, cc: 1968 }, { ...said, displacementCc: 1968 })).toBe('Diesel');
    expect(fuelFrom([], passat, said)).toBe('Diesel');
  });

  test('takes no power and no weight from the range of one country, unless it can tell the engine', () => {
    const rover = { make: 'Land Rover', model: 'Range Rover Sport', from: 2013, to: 2015, fuel: 'Gasoline' };
    const v8: SpecRow = { ...rover, powerKw: 375, curbKg: 2327 };
    const v6: KnownOfCar = { make: 'Land Rover', model: 'Range Rover Sport', modelYear: 2014, displacementCc: 2995 };
    expect(valuesFrom(['one-country'], v8, v6)).toEqual({});
    expect(valuesFrom(['one-country'], { ...v8, cc: 5000 }, v6)).toEqual({});
    expect(valuesFrom(['one-country'], v8, { ...v6, powerKw: 375 })).toEqual({ curbWeightKg: 2327 });
    expect(valuesFrom(['one-country'], { ...v8, cc: 5000 }, { ...v6, displacementCc: 5000 })).toMatchObject({
      powerKw: 375,
    });
  });

  test('gives a car of unknown body no dimension that one of its bodies lacks', () => {
    const passat = { make: 'Volkswagen', model: 'Passat', generation: 'B7', from: 2010, to: 2015 };
    const rows = [
      { ...passat, body: 'sedan', lengthMm: 4769, heightMm: 1470 },
      { ...passat, body: 'wagon', lengthMm: 4771 },
    ];
    const join = joining([table(rows, { market: 'europe' })]);
    const said: KnownOfCar = { make: 'Volkswagen', model: 'Passat', generation: 'B7', modelYear: 2012 };
    expect(values(join(said, 'europe'))).toEqual({ lengthMm: 4769 });
    expect(values(join({ ...said, body: 'wagon' }, 'europe'))).toEqual({ lengthMm: 4771 });
    expect(values(join({ ...said, body: 'sedan' }, 'europe'))).toEqual({ lengthMm: 4769, heightMm: 1470 });
  });

  test("takes from a list of some cars the dimensions of the VIN's body, and of no similar body", () => {
    const elantra = { make: 'Hyundai', model: 'Elantra', from: 2013, to: 2017 };
    const join = joining([table([{ ...elantra, body: 'hatchback', lengthMm: 4300 }], { coverage: 'some' })]);
    const said = { make: 'Hyundai', model: 'Elantra', modelYear: 2015 };
    expect(values(join({ ...said, body: 'hatchback' }, 'north-america'))).toEqual({ lengthMm: 4300 });
    expect(values(join({ ...said, body: 'sedan' }, 'north-america'))).toEqual({});
    expect(values(join(said, 'north-america'))).toEqual({});
  });

  test('never overwrites values of the VIN, but matches them', () => {
    const join = joining([
      table([
        { ...CIVIC, gearbox: 'Manual, 5-speed', powerKw: 100 },
        { ...CIVIC, gearbox: 'Automatic, CVT', powerKw: 120 },
      ]),
    ]);
    expect(values(join({ ...civic, transmission: 'Manual' }, 'north-america'))).toEqual({ powerKw: 100 });
    expect(values(join({ ...civic, powerKw: 119 }, 'north-america'))).toEqual({ transmission: 'Automatic, CVT' });
  });

  test('knows each market for itself', () => {
    const join = joining([
      table([{ ...CIVIC, lengthMm: 4560 }]),
      table([{ ...CIVIC, lengthMm: 4300 }], { market: 'europe' }),
    ]);
    expect(values(join(civic, 'north-america'))).toEqual({ lengthMm: 4560 });
    expect(values(join(civic, 'europe'))).toEqual({ lengthMm: 4300 });
  });

  test('lets the first source with a field decide it, agreed or not', () => {
    const join = joining([
      table([
        { ...CIVIC, curbKg: 1200 },
        { ...CIVIC, curbKg: 1400 },
      ]),
      table([{ ...CIVIC, curbKg: 1250, clearanceMm: 150 }]),
    ]);
    expect(values(join(civic, 'north-america'))).toEqual({ groundClearanceMm: 150 });
  });

  test('answers for a year that a list misses only where the years around it agree', () => {
    const join = joining([
      table([
        { ...CIVIC, powerKw: 107, lengthMm: 4560 },
        { ...CIVIC, from: 2017, to: 2018, powerKw: 107, lengthMm: 4650 },
      ]),
    ]);
    expect(values(join({ ...civic, modelYear: 2016 }, 'north-america'))).toEqual({ powerKw: 107 });
    expect(values(join({ ...civic, modelYear: 2019 }, 'north-america'))).toEqual({});
  });

  test('answers for a vehicle of unknown year from a list of all years of a model, and from no other of some cars', () => {
    const citaro = { make: 'Mercedes-Benz', model: 'Citaro', from: 1997, to: 2027, widthMm: 2550 };
    const said = { make: 'Mercedes-Benz', model: 'Citaro', modelYear: 0 };
    const answered = (flags: SpecFlag[], generation = '') =>
      values(
        joining([table([citaro], { flags, market: 'europe', coverage: 'some' })])({ ...said, generation }, 'europe'),
      );
    expect(answered(['all-years'])).toEqual({ widthMm: 2550 });
    expect(answered(['all-years'], 'C2')).toEqual({ widthMm: 2550 });
    expect(answered([])).toEqual({});
  });

  test('takes the generation for the year where the year is unknown', () => {
    const join = joining([
      table(
        [
          { ...CIVIC, generation: 'IX', lengthMm: 4285 },
          { ...CIVIC, generation: 'X', from: 2017, to: 2021, lengthMm: 4518 },
        ],
        { market: 'europe' },
      ),
    ]);
    expect(values(join({ ...civic, modelYear: 0, generation: 'X' }, 'europe'))).toEqual({ lengthMm: 4518 });
    expect(values(join({ ...civic, modelYear: 0 }, 'europe'))).toEqual({});
    expect(values(join({ ...civic, modelYear: 2015 }, 'europe'))).toEqual({ lengthMm: 4285 });
  });

  test('takes nothing from a European list that has only the hybrids of a family', () => {
    const plugIn = { ...CIVIC, cc: 1998, fuel: 'Plug-in hybrid', curbKg: 1810 };
    const gasoline = { ...civic, displacementCc: 1998, fuelType: 'Gasoline' };
    const hybrids = joining([table([plugIn], { market: 'europe' })]);
    const all = joining([table([plugIn, { ...plugIn, fuel: 'Gasoline', curbKg: 1400 }], { market: 'europe' })]);
    expect(values(hybrids(gasoline, 'europe'))).toEqual({});
    expect(values(all(gasoline, 'europe'))).toEqual({ curbWeightKg: 1400 });
    expect(values(hybrids({ ...gasoline, fuelType: 'Hybrid' }, 'europe'))).toEqual({ curbWeightKg: 1810 });
  });

  test('takes nothing for a generation from rows about other years of it, except a year beside them', () => {
    const join = joining([
      table(
        [
          { ...CIVIC, generation: 'IX', from: 2012, to: 2014, curbKg: 1180 },
          { ...CIVIC, generation: 'IX', from: 2015, to: 2015, curbKg: 1310 },
        ],
        { market: 'europe' },
      ),
    ]);
    const ofYear = (modelYear: number): ReturnType<typeof values> =>
      values(join({ ...civic, modelYear, generation: 'IX' }, 'europe'));
    expect([2012, 2016, 2018].map(ofYear)).toEqual([{ curbWeightKg: 1180 }, { curbWeightKg: 1310 }, {}]);
  });

  test('takes no weight of an engine of another power than the one of an earlier list', () => {
    const evolution = { ...CIVIC, cc: 1998, powerKw: 217, curbKg: 1560 };
    const join = joining([table([{ ...CIVIC, cc: 1998, powerKw: 110 }]), table([evolution], { coverage: 'some' })]);
    expect(values(join({ ...civic, displacementCc: 1998 }, 'north-america'))).toEqual({ powerKw: 110 });
  });

  test('takes no power from a list of weights, which names the few engines that were weighed', () => {
    const weighed = { ...CIVIC, cc: 1998, powerKw: 217, curbKg: 1560 };
    const join = joining([table([weighed], { lists: 'weights', coverage: 'some' })]);
    expect(values(join({ ...civic, displacementCc: 1998 }, 'north-america'))).toEqual({ curbWeightKg: 1560 });
  });

  test("takes the weight of the VIN's very body if a list of Europe has it, not that of a similar one", () => {
    const rows = [
      { ...CIVIC, body: 'hatchback', curbKg: 1215 },
      { ...CIVIC, body: 'wagon', curbKg: 1308 },
    ];
    const weight = (market: 'europe' | 'north-america', body: NonNullable<KnownOfCar['body']>) =>
      values(joining([table(rows, { market })])({ ...civic, body }, market))['curbWeightKg'];
    expect(weight('europe', 'wagon')).toBe(1308);
    expect(weight('europe', 'unknown')).toBeUndefined();
    expect(weight('north-america', 'wagon')).toBeUndefined();
  });

  test('gives for each value the source, its basis and its market', () => {
    const join = joining([table([{ ...CIVIC, lengthMm: 4560 }], { title: 'A list', basis: 'measured' })]);
    expect(join(civic, 'north-america')).toMatchObject([
      { field: 'lengthMm', value: 4560, source: 'A list', basis: 'measured', market: 'north-america', variants: 1 },
    ]);
  });

  test('never answers a power from which any variant of the year is more than 2 % away', () => {
    const variant = record({
      from: integer({ min: 2010, max: 2014 }),
      span: integer({ min: 0, max: 3 }),
      cc: constantFrom(1000, 1400, 2000),
      powerKw: integer({ min: 60, max: 80 }),
    });
    assert(
      property(array(variant, { minLength: 1, maxLength: 12 }), integer({ min: 2010, max: 2017 }), (some, year) => {
        const rows = some.map(({ span, from, cc, powerKw }) => ({ ...CIVIC, from, to: from + span, cc, powerKw }));
        const answer = values(joining([table(rows)])({ ...civic, modelYear: year }, 'north-america'))['powerKw'];
        const ofYear = rows.filter(({ from, to }) => from <= year && year <= to).map(({ powerKw }) => powerKw);
        if (ofYear.length === 0) return;
        const agree = Math.max(...ofYear) <= Math.min(...ofYear) * 1.02;
        expect(ofYear.includes(Number(answer))).toBe(agree);
      }),
    );
  });
});
