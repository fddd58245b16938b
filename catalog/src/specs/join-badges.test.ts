import { describe, expect, test } from 'vitest';

import { civic, CIVIC, joining, table, values } from './testing/join.ts';

describe('the join with the tables, by badge and trim,', () => {
  test('uses a list of some cars only for a car whose VIN gives the engine or badge', () => {
    const camry = { make: 'Toyota', model: 'Camry', from: 2018, to: 2024, fuel: 'Gasoline', cc: 2500 };
    const some = table([{ ...camry, powerKw: 151 }], { coverage: 'some' });
    const all = table([{ ...camry, cylinders: 4, drive: 'Front-wheel drive' }]);
    const said = { make: 'Toyota', model: 'Camry', modelYear: 2020 };
    const join = joining([some, all]);
    expect(values(join(said, 'north-america'))).toMatchObject({ displacementCc: 2500, cylinders: 4 });
    expect(values(join(said, 'north-america'))['powerKw']).toBeUndefined();
    expect(values(join({ ...said, displacementCc: 2487 }, 'north-america'))['powerKw']).toBe(151);
    const badged = joining([table([{ ...camry, badge: 'LE', powerKw: 151 }], { coverage: 'some' })]);
    expect(values(badged(said, 'north-america'))).toEqual({});
    expect(values(badged({ ...said, trim: 'LE' }, 'north-america'))).toEqual({ displacementCc: 2500, powerKw: 151 });
  });

  test('answers a car of unknown year by a list of some cars only if it covers the whole generation', () => {
    const said = { make: 'Renault', model: 'Zoe', generation: 'I', fuelType: 'Electric' };
    const zoe = { make: 'Renault', model: 'Zoe', generation: 'I' };
    const life = table([{ ...zoe, from: 2013, to: 2024 }], { lists: 'generations', market: 'europe' });
    const power = (from: number, to: number) => {
      const press = table([{ ...zoe, from, to, fuel: 'Electric', powerKw: 65 }], {
        market: 'europe',
        coverage: 'some',
      });
      return values(joining([life, press])(said, 'europe'))['powerKw'];
    };
    expect(power(2012, 2017)).toBeUndefined();
    expect(power(2012, 2024)).toBe(65);
  });

  test('takes a badge in tenths of a liter for no model code or badge of the same digits', () => {
    const t3 = { make: 'Volkswagen', model: 'T3', from: 1990, to: 1992 };
    const rows = [
      { ...t3, badge: '2.5', powerKw: 85 },
      { ...t3, badge: '25', powerKw: 44 },
    ];
    const power = (modelCode: string) =>
      values(joining([table(rows)])({ make: 'Volkswagen', model: 'T3', modelYear: 1991, modelCode }, 'north-america'))[
        'powerKw'
      ];
    expect(power('25')).toBe(44);
    expect(power('2.5')).toBe(85);
  });

  test('uses a list of some cars only for the badge that it names', () => {
    const join = joining([
      table([{ ...CIVIC, badge: 'LX', powerKw: 104 }], { coverage: 'some' }),
      table([{ ...CIVIC, powerKw: 153 }]),
    ]);
    expect(values(join({ ...civic, trim: 'LX' }, 'north-america'))).toEqual({ powerKw: 104 });
    expect(values(join({ ...civic, trim: 'Si' }, 'north-america'))).toEqual({ powerKw: 153 });
    expect(values(join(civic, 'north-america'))).toEqual({ powerKw: 153 });
  });

  test('distinguishes trims by their badges, and keeps the plain rows beside a trim in letters', () => {
    const join = joining([
      table([
        { ...CIVIC, badge: '', powerKw: 107 },
        { ...CIVIC, badge: 'Si', powerKw: 153 },
        { ...CIVIC, badge: '330i', powerKw: 190 },
      ]),
    ]);
    expect(values(join({ ...civic, trim: 'EX' }, 'north-america'))).toEqual({ powerKw: 107 });
    expect(values(join({ ...civic, modelCode: '330i' }, 'north-america'))).toEqual({ powerKw: 190 });
    expect(values(join({ ...civic, trim: 'Si' }, 'north-america'))).toEqual({});
  });

  test('does not prefer the longer of two trims that a text lists', () => {
    const join = joining([
      table([
        { ...CIVIC, badge: 'Turbo', powerKw: 427 },
        { ...CIVIC, badge: 'Turbo S', powerKw: 477 },
      ]),
    ]);
    expect(values(join({ ...civic, trim: 'Turbo S' }, 'north-america'))).toEqual({ powerKw: 477 });
    expect(values(join({ ...civic, trim: 'Turbo / Turbo S' }, 'north-america'))).toEqual({});
  });
});
