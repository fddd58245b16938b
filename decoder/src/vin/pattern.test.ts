import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { VIN_CHARACTERS } from './characters.ts';
import { fixedPositions, formatPattern, matchesPattern, parsePattern } from './pattern.ts';

const character = fc.constantFrom(...VIN_CHARACTERS);
const set = fc.uniqueArray(character, { minLength: 1, maxLength: 5 }).map((all) => all.toSorted().join(''));

test('a pattern survives being written and read again', () => {
  fc.assert(
    fc.property(fc.array(fc.option(set, { nil: undefined }), { maxLength: 17 }), (positions) => {
      const read = parsePattern(formatPattern(positions));
      while (positions.at(-1) === undefined && positions.length > 0) positions.pop();
      expect(read).toEqual(positions);
    }),
  );
});

test('ranges in a set run over digits and letters without I, O and Q', () => {
  expect(parsePattern('[H-K][8-A].')).toEqual(['HJK', '89A', undefined]);
  expect(fixedPositions(parsePattern('...ZZZ1K'))).toEqual([4, 5, 6, 7, 8]);
  expect(matchesPattern(parsePattern('...ZZZ[13]'), 'WVWZZZ1KZ4W000001')).toBe(true);
  expect(matchesPattern(parsePattern('...ZZZ[3-9]'), 'WVWZZZ1KZ4W000001')).toBe(false);
});

test.each([
  ['[AB', 'never closes'],
  ['AOB', 'neither a character'],
  ['[]', 'empty'],
  ['[C-A]', 'neither a character'],
  ['..................A', 'longer than the 17'],
])('"%s" is refused with a reason', (pattern, reason) => {
  expect(() => parsePattern(pattern)).toThrow(reason);
});
