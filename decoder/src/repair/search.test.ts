import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkDigitOf } from '../vin/check-digit.ts';
import { VIN_CHARACTERS } from '../vin/characters.ts';
import { COST, MISTAKE_KINDS, mistakeOf } from './mistakes.ts';
import { Mistyped } from './search.ts';
import { suggest } from './suggest.ts';

/** Any character of Unicode. fast-check's own `binary` makes a table of all 1.1 million first. */
const anyCharacter = fc.nat(0x10_ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const character = fc.constantFrom(...VIN_CHARACTERS);
/** VINs with a right check digit, since others are not candidates in markets that prescribe it. */
const vin = fc
  .string({ unit: character, minLength: 17, maxLength: 17 })
  .map((text) => text.slice(0, 8) + checkDigitOf(text) + text.slice(9));
const place = fc.nat({ max: 16 });

/**
 * Returns the text corrected by the changes of the candidate that is the right VIN; undefined if there is no such
 * candidate.
 */
function mended(right: string, text: string): string | undefined {
  const mistyped = new Mistyped([...text]);
  const found = mistyped.single().find((candidate) => candidate.vin === right);
  if (found === undefined) return undefined;
  const changes = mistyped.changesOf(found).toReversed();
  return changes.reduce((vin, { position, from, to }) => spliced(vin, position - 1, from.length, to), text);
}

/** Runs a search to its end and returns its result. */
function result<T>(search: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

function spliced(text: string, at: number, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

describe('the search from a mistyped VIN', () => {
  const other = fc.oneof(character, fc.constantFrom('I', 'O', 'Q', '?', 'А', 'é'));

  test('finds the VIN again after any one mistake, and names that mistake', () => {
    const mistyped = fc.oneof(
      fc.tuple(vin, place, other).map(([right, at, by]) => [right, spliced(right, at, 1, by)] as const),
      fc
        .tuple(vin, fc.nat({ max: 15 }))
        .map(([right, at]) => [right, spliced(right, at, 2, right.charAt(at + 1) + right.charAt(at))] as const),
      fc.tuple(vin, place).map(([right, at]) => [right, spliced(right, at, 1, '')] as const),
      fc.tuple(vin, place, character).map(([right, at, more]) => [right, spliced(right, at, 0, more)] as const),
    );
    fc.assert(
      fc.property(mistyped, ([right, text]) => {
        fc.pre(text !== right);
        expect(mended(right, text)).toBe(right);
      }),
      { numRuns: 400 },
    );
  });

  test('finds two likely mistakes, whether or not they are of one kind', () => {
    const right = '1HGCM82633A004352';
    for (const text of ['IHGCM82633AO04352', '1H6CM82633A004325', '1HGCM8Z633A00435Z']) {
      const mistyped = new Mistyped([...text]);
      const found = mistyped.single().concat(result(mistyped.double()));
      expect(found.map(({ vin }) => vin)).toContain(right);
    }
  });

  test('gives the cheapest first, each VIN once', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 16, maxLength: 18 }), (text) => {
        const found = new Mistyped([...text]).single();
        expect(found.map(({ cost }) => cost)).toEqual(found.map(({ cost }) => cost).toSorted((a, b) => a - b));
        expect(new Set(found.map(({ vin }) => vin)).size).toBe(found.length);
      }),
      { numRuns: 30 },
    );
  });
});

test('a mistake costs more the less people make it', () => {
  const costs = [
    ['0', 'D'],
    ['1', '7'],
    ['2', '3'],
    ['2', 'X'],
  ].map(([written = '', meant = '']) => mistakeOf(written, meant).cost);
  expect(costs).toEqual([COST.lookAlike, COST.faintLookAlike, COST.neighboringKey, COST.otherCharacter]);
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  for (const written of ['I', 'O', 'Q', 'S', '5', 'é', '🚗'])
    expect(MISTAKE_KINDS).toContain(mistakeOf(written, '1').kind);
});

test('a suggestion scores a bounded number of VINs, for any text', () => {
  let judged = 0;
  const judge = {
    decode: (vin: string) => {
      judged++;
      const bodyStyleNormalized = 'unknown' as const;
      return {
        vin,
        wmi: '',
        vds: '',
        vis: '',
        checkDigit: '',
        yearCode: '',
        plantCode: '',
        serialNumber: '',
        validFormat: true,
        bodyStyleNormalized,
      };
    },
    vpic: () => [],
  };
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...VIN_CHARACTERS, '?', 'O'), minLength: 16, maxLength: 18 }),
  );
  fc.assert(
    fc.property(text, (text) => {
      judged = 0;
      expect(suggest(judge, text)).toEqual([]);
      expect(judged).toBeLessThanOrEqual(1_201);
    }),
  );
});
