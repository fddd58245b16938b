import { checkDigitOf, openCatalog, VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test('a heavy truck of 2012 whose model is unknown is not dated 30 years back', () => {
  // Position 7 is a letter, position 10 a C, and NHTSA has schemas of this WMI for 1982 and 2012.
  expect(decoder.decode('1FDNF6AY9CDA12345').modelYear).toBeUndefined();
});

test('a heavy truck whose model one of the two years names has that year', () => {
  expect(decoder.decode('1XKYD49X7CJ123456')).toMatchObject({ model: 'T680', modelYear: '2012' });
});

test('a mistyped heavy truck is not dated 30 years back', () => {
  expect(decoder.decode('1XP4D49X0CD000001')).toMatchObject({ manufacturer: 'Peterbilt' });
  expect(decoder.decode('1XP4D49X0CD000001').modelYear).toBeUndefined();
});

test('one mistyped character of the descriptor moves no pickup to the other cycle', () => {
  const vin = '1FTEW1EG4JFB35559';
  expect(decoder.decode(vin).modelYear).toBe('2018');
  const character = fc.constantFrom(...VIN_CHARACTERS);
  fc.assert(
    fc.property(fc.constantFrom(3, 4, 5, 7), character, (at, other) => {
      const mistyped = vin.slice(0, at) + other + vin.slice(at + 1);
      expect(decoder.decode(mistyped).modelYear ?? '2018').toBe('2018');
    }),
    { numRuns: 132 },
  );
});

test('a check digit that is right by chance dates no car 30 years back', () => {
  const serial = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'));
  fc.assert(
    fc.property(serial, (digits) => {
      const [volvo, jaguar] = [`YV1DZ8250F2${digits}`, `SAJAA05M0DP${digits}`].map(
        (vin) => vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9),
      );
      // A digit at 7 means a year before 2010 in North America, where no XC60 of that code was sold.
      expect(decoder.decode(volvo ?? '')).toMatchObject({ model: 'XC60', modelYear: '2015' });
      expect(decoder.decode(jaguar ?? '').modelYear).toBe('2013');
    }),
    { numRuns: 50 },
  );
});

test('a row about a body that names no years leaves the year to the other rows of the model', () => {
  // The rows of the i30's estates have no years; the i30 of this code was built from 2011 to 2017, so G is not 1986.
  expect(decoder.decode('TMAD281UVGJ100000')).toMatchObject({ model: 'i30', modelYear: '2016' });
  expect(decoder.decode('KMFFD27APTU200000')).toMatchObject({ model: 'H-100', modelYear: '1996' });
});

test('a car that Mexico built for other markets is not dated by its position 7', () => {
  expect(decoder.decode('3VWBJ2168CM012345')).toMatchObject({ manufacturer: 'Volkswagen' });
  expect(decoder.decode('3VWBJ2168CM012345').modelYear).toBeUndefined();
});
