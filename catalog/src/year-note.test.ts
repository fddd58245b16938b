import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from './root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** Returns the positions and the note that `explain` gives for the model year. */
function yearOf(vin: string): [positions: number[] | undefined, note: string | undefined] {
  const evidence = decoder.explain(vin).fields.find(({ field }) => field === 'modelYear');
  return [[...(evidence?.rows ?? []), ...(evidence?.alternatives ?? [])][0]?.positions, evidence?.note];
}

test('a year is explained by position 7 only where 49 CFR 565 gives the cycle there', () => {
  expect(yearOf('LRW3E7ES3PC612345')).toEqual([
    [7, 10],
    'position 10 is P; position 7 is E, a letter: from 2010, under 49 CFR 565',
  ]);
  expect(yearOf('1HGCM82633A004352')).toEqual([
    [7, 10],
    'position 10 is 3; position 7 is 2, a digit: up to 2009, under 49 CFR 565',
  ]);
  // A tractor of more than 10,000 lb.
  expect(yearOf('1FUJA6CV63LK12345')).toEqual([
    [10],
    'position 10 is 3: 2003, since the year 30 years later is still to come',
  ]);
});

test('a year of a layout is explained by what rules out the year 30 years apart', () => {
  expect(yearOf('WF0TK1E47PMA91234')).toEqual([
    [10],
    'position 10 is P: 2023; the layout of the maker was in use from 2020',
  ]);
  expect(yearOf('WVWZZZ1KZBW312345')[1]).toBe('position 10 is B: 2011; built from 2009 to 2013, according to the rows');
});

test('a year that the VIN contains is not said to be missing where only the make is open', () => {
  expect(yearOf('LSGZZ52H5MD012345')[1]).toBe('left out, since the make is not known');
});
