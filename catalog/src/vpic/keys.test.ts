import { VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { keysMeet, parseKey } from './keys.ts';

const character = fc.constantFrom(...VIN_CHARACTERS);

/** A class as vPIC writes them: characters and ascending ranges of letters or of digits. */
const classText = fc
  .array(
    fc.oneof(
      character,
      fc.constantFrom('1-4', 'A-H', 'J-N', '0-9', 'A-Z', 'P-T').filter((range) => range.length === 3),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => `[${parts.join('')}]`);
const cell = fc.oneof({ weight: 3, arbitrary: character }, { weight: 3, arbitrary: fc.constant('*') }, classText);
const key = fc
  .tuple(fc.array(cell, { minLength: 1, maxLength: 5 }), fc.array(cell, { maxLength: 8 }))
  .map(([head, tail]) => {
    if (tail.length === 0) return head.join('');
    return `${[...head, ...Array.from({ length: 5 - head.length }, () => '*')].join('')}|${tail.join('')}`;
  });
const matchText = fc
  .array(character, { minLength: 13, maxLength: 13 })
  .map((codes) => ({ text: `${codes.slice(0, 5).join('')}|${codes.slice(5).join('')}`, columns: codes }));

/** Returns vPIC's matching as SQL does it: the key as a pattern over positions 4-8, a bar, and 10-17. */
function slowly(text: string, pattern: string): boolean {
  const source = pattern.replaceAll('|', String.raw`\|`).replaceAll('*', '.');
  return new RegExp(`^${source}`).test(text);
}

function byTokens(columns: readonly string[], pattern: string): boolean {
  return parseKey(pattern).tokens.every(({ column, set }) => {
    const code = Number.parseInt(columns[column] ?? '0', 36);
    return (((code < 32 ? set.low : set.high) >>> (code & 31)) & 1) === 1;
  });
}

test("a parsed key matches the same VINs as the key's pattern", () => {
  fc.assert(
    fc.property(key, matchText, (pattern, { text, columns }) => {
      expect(byTokens(columns, pattern)).toBe(slowly(text, pattern));
    }),
    { numRuns: 20_000 },
  );
});

/** Generates a key that this text matches: in each place the character, a class that contains it, or anything. */
function keyFor(columns: readonly string[]): fc.Arbitrary<string> {
  const cells = columns.map((own) =>
    fc.oneof(
      fc.constant('*'),
      fc.constant(own),
      character.map((other) => `[${own}${other}]`),
    ),
  );
  return fc.tuple(...cells).map((parts) => `${parts.slice(0, 5).join('')}|${parts.slice(5).join('')}`);
}

test('keys that one VIN matches are known to meet', () => {
  const pair = matchText.chain(({ columns }) => fc.tuple(keyFor(columns), keyFor(columns)));
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(keysMeet(parseKey(a), parseKey(b))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['ABCDEF', 'ABCDEFGHIJ', '*****|********Z'])('%s can never match a VIN', (pattern) => {
  expect(byTokens([...'ABCDEFGHABCDE'], pattern)).toBe(false);
});

test('a digit sign asks for a digit and remembers where it is', () => {
  expect(parseKey('*##').digits).toEqual({ from: 1, to: 2 });
  expect(byTokens([...'A12ZZ00000000'], '*##')).toBe(true);
  expect(byTokens([...'A1BZZ00000000'], '*##')).toBe(false);
});
