import { describe, expect, test } from 'vitest';

import { civic, CIVIC, joining, table, values } from './testing/join.ts';

describe('the join with the tables, by the VIN’s own characters,', () => {
  test('uses the characters of the VIN that give the country', () => {
    const kwid = { make: 'Renault', model: 'Kwid', from: 2018, to: 2027, gearbox: 'Manual' };
    const join = joining([table([{ ...kwid, vin: '[89]' }], { market: 'elsewhere' })]);
    const said = { make: 'Renault', model: 'Kwid', modelYear: 2020 };
    const gearbox = (vin: string) => values(join(said, 'elsewhere', vin))['transmission'];
    expect(gearbox('93YRBB000LJ000000')).toBe('Manual');
    expect(gearbox('MEERBB000LJ000000')).toBeUndefined();
  });

  test('gives a car of a year with two generations the sizes of the one that a list selects by its characters', () => {
    const cruiser = { make: 'Toyota', model: 'Land Cruiser', from: 2003, to: 2007 };
    const generations = [
      { ...cruiser, generation: 'J100', vin: '...H' },
      { ...cruiser, generation: 'J120', vin: '...B' },
    ];
    const join = joining([
      table(generations, { lists: 'generations', market: 'europe' }),
      table([{ ...cruiser, generation: 'J100', lengthMm: 4890 }], { market: 'europe' }),
    ]);
    const said = { make: 'Toyota', model: 'Land Cruiser', modelYear: 2005 };
    const answered = (vin: string) => values(join(said, 'europe', vin));
    expect(answered('JTEHT05J000000000')).toEqual({ generation: 'J100', lengthMm: 4890 });
    expect(answered('JTEBL29J000000000')).toEqual({ generation: 'J120' });
  });

  test('reads the driven wheels from the VIN where the maker writes them there', () => {
    const join = joining(
      [
        table([
          { ...CIVIC, drive: 'Front-wheel drive', curbKg: 1300 },
          { ...CIVIC, drive: 'All-wheel drive', curbKg: 1450 },
        ]),
      ],
      [{ make: 'Honda', model: 'Civic', from: 2010, to: 2016, vin: '.....4', says: 'All-wheel drive' }],
    );
    expect(values(join(civic, 'north-america', '00000400000000000'))).toEqual({
      driveType: 'All-wheel drive',
      curbWeightKg: 1450,
    });
    expect(values(join(civic, 'north-america', '00000300000000000'))).toEqual({});
    expect(values(join({ ...civic, modelYear: 2018 }, 'north-america', '00000400000000000'))).toEqual({});
  });

  test('narrows variants by the gearbox of the VIN’s characters, and answers it if no list does', () => {
    const code = { make: 'Honda', model: 'Civic', from: 2010, to: 2016, vin: '.....4', says: 'Automatic' };
    const vin = '00000400000000000';
    const both = joining(
      [
        table([
          { ...CIVIC, gearbox: 'Manual, 5-speed' },
          { ...CIVIC, gearbox: 'Automatic, CVT' },
        ]),
      ],
      [code],
    );
    expect(values(both(civic, 'north-america', vin))).toMatchObject({ transmission: 'Automatic, CVT' });
    expect(values(both(civic, 'north-america', '00000000000000000'))).not.toHaveProperty('transmission');
    const silent = joining([table([{ ...CIVIC, powerKw: 107 }])], [code]);
    expect(values(silent(civic, 'north-america', vin))).toMatchObject({ transmission: 'Automatic' });
    const manual = joining([table([{ ...CIVIC, gearbox: 'Manual, 5-speed' }])], [code]);
    expect(values(manual(civic, 'north-america', vin))).not.toHaveProperty('transmission');
  });

  test('trusts neither the VIN nor a list where they contradict each other on the driven wheels', () => {
    const codes = [{ make: 'Honda', model: 'Civic', from: 2010, to: 2016, vin: '.....4', says: 'All-wheel drive' }];
    const vin = '00000400000000000';
    const front = joining([table([{ ...CIVIC, drive: 'Front-wheel drive', powerKw: 107 }])], codes);
    expect(values(front(civic, 'north-america', vin))).toEqual({ powerKw: 107 });
    const silent = joining([table([{ ...CIVIC, from: 2010, to: 2011, drive: 'All-wheel drive' }])], codes);
    expect(values(silent(civic, 'north-america', vin))).toEqual({ driveType: 'All-wheel drive' });
  });
});
