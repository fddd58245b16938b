import { openApprovals, writeContainer } from '@marque/decoder/format';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Sections } from '../binary/sections.ts';
import { StringTable } from '../binary/string-table.ts';
import { maskFault } from './columns.ts';
import { compileApprovals } from './compile.ts';

/** Few characters, so that VINs match: of both ends of the order, and the maker's filler. */
const character = fc.constantFrom('0', '9', 'A', 'Z');
const vin = fc.array(character, { minLength: 17, maxLength: 17 }).map((characters) => characters.join(''));
const mask = fc
  .tuple(vin, fc.array(fc.boolean(), { minLength: 17, maxLength: 17 }))
  .map(([text, open]) => [...text].map((c, index) => (index > 2 && open[index] === true ? '.' : c)).join(''));

function finderOf(masks: readonly string[]): (vin: string) => string[] {
  const strings = new StringTable();
  const sections: Sections = new Map();
  const rows = masks.map((text) => ({ mask: text, make: 'Honda', model: 'Civic' }));
  compileApprovals([{ id: 'test', title: 'Test', market: 'europe', rows }], strings, sections);
  return openApprovals(writeContainer({}, new Map([...strings.sections(), ...sections])));
}

function matches(pattern: string, text: string): boolean {
  return [...pattern].every((c, index) => c === '.' || c === text[index]);
}

test('compiled masks are found by exactly the VINs that match them', () => {
  fc.assert(
    fc.property(fc.array(mask, { maxLength: 60 }), fc.array(vin, { minLength: 1, maxLength: 20 }), (masks, vins) => {
      const find = finderOf(masks);
      // VINs that surely match a mask, beside those that may.
      for (const text of [...vins, ...masks.map((pattern) => pattern.replaceAll('.', '0'))]) {
        const wanted = [...new Set(masks)].filter((pattern) => matches(pattern, text));
        expect(find(text).toSorted()).toEqual(wanted.toSorted());
      }
    }),
  );
});

describe('a mask', () => {
  test.each(['JF1BG5...........', 'WBAVP11..........', 'WAUZZZ8K9DA......', 'LGXCF6.D.........'])(
    'may be %s',
    (text) => {
      expect(maskFault(text)).toBeUndefined();
    },
  );

  test.each([
    'VF3LBYHYP',
    'WAU...4B.......',
    '...BG5...........',
    'JF1BG5...........x',
    'JF1BO5...........',
    'WAUZZZ...........',
    'WDB.....A........',
    '',
  ])('may not be %j', (text) => {
    expect(maskFault(text)).toMatch(/^a VIN pattern/);
  });
});
