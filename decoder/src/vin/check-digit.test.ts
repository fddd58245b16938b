import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { VIN_CHARACTERS } from './characters.ts';
import { checkDigitOf, hasValidCheckDigit } from './check-digit.ts';

const vin = fc.string({ unit: fc.constantFrom(...VIN_CHARACTERS), minLength: 17, maxLength: 17 });

/** The table of 49 CFR 565.15(c), written out. */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HY', '9RZ'].flatMap((characters, value) =>
    [...characters].map((character) => [character, value]),
  ),
);
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

function byTheRule(text: string): string {
  let sum = 0;
  for (const [index, character] of [...text].entries()) sum += (VALUES[character] ?? 0) * (WEIGHTS[index] ?? 0);
  return '0123456789X'.charAt(sum % 11);
}

describe('the check digit', () => {
  test('is the one of 49 CFR 565 for any VIN', () => {
    fc.assert(
      fc.property(vin, (text) => {
        expect(checkDigitOf(text)).toBe(byTheRule(text));
      }),
    );
  });

  test('makes a VIN valid at position 9, and no other character does', () => {
    fc.assert(
      fc.property(vin, (text) => {
        const digit = checkDigitOf(text);
        for (const candidate of '0123456789X') {
          const written = text.slice(0, 8) + candidate + text.slice(9);
          expect(hasValidCheckDigit(written)).toBe(candidate === digit);
        }
      }),
    );
  });

  test.each(['1HGCM82633A004352', '11111111111111111', '1M8GDM9AXKP042788', '5GZCZ43D13S812715'])(
    '%s is valid',
    (text) => {
      expect(hasValidCheckDigit(text)).toBe(true);
    },
  );
});
