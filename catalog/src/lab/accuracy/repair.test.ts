import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { hasValidCheckDigit, openCatalog, VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';
import { measureLikelyRepair, measureRepair, repairTable } from './repair.ts';
import { anyCharacter } from '../../testing/any-character.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const ACCORD = '1HGCM82633A004352';

/** Texts of every kind: near a VIN, of its characters, and of any. */
const nearVin = fc
  .tuple(fc.nat({ max: 17 }), fc.nat({ max: 2 }), fc.string({ unit: anyCharacter, maxLength: 2 }))
  .map(([at, length, by]) => ACCORD.slice(0, at) + by + ACCORD.slice(at + length));
const ofVinCharacters = fc.string({
  unit: fc.constantFrom(...VIN_CHARACTERS, 'I', 'O', 'Q'),
  minLength: 15,
  maxLength: 19,
});
const anyText = fc.oneof(nearVin, ofVinCharacters, fc.string({ unit: anyCharacter, maxLength: 400 }));

describe('suggest', () => {
  test('gives well-formed VINs, each once and none of them the text, the best first, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const suggestions = decoder.suggest(text);
        expect(suggestions.length).toBeLessThanOrEqual(5);
        expect(new Set(suggestions.map(({ vin }) => vin)).size).toBe(suggestions.length);
        const scores = suggestions.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const { vin, changes, reasons } of suggestions) {
          expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
          expect(vin).not.toBe(text.toUpperCase());
          expect(changes.length).toBeGreaterThan(0);
          expect(reasons.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('gives the same answer after any earlier questions', () => {
    fc.assert(
      fc.property(nearVin, anyText, (text, other) => {
        const first = decoder.suggest(text);
        decoder.suggest(other);
        expect(decoder.suggest(text)).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });

  test('names its changes: applied to the text, they give the VIN', () => {
    const texts = [
      '1HGCM82633AO04352',
      '1HGCM82633A00435Z',
      '1HGCM82363A004352',
      '1HGCM2633A004352',
      '1HGCM822633A004352',
    ];
    for (const text of texts) {
      const [best] = decoder.suggest(text);
      expect(best?.vin).toBe(ACCORD);
      expect(applied(text, best?.changes ?? [])).toBe(ACCORD);
    }
  });

  test('names the kind of mistake and the reasons', () => {
    expect(decoder.suggest('1hgcm-82633-a0o4352')[0]).toMatchObject({
      vin: ACCORD,
      changes: [{ position: 13, from: 'O', to: '0', kind: 'look-alike' }],
      reasons: expect.arrayContaining(['The check digit is right.']),
    });
    expect(decoder.suggest('1HGCM82633A004325')[0]?.changes).toEqual([
      { position: 16, from: '25', to: '52', kind: 'transposition' },
    ]);
  });

  test('suggests nothing for consistent VINs, with a check digit or without', () => {
    for (const vin of [ACCORD, 'WVWZZZ1JZ3W386752', 'VF1BM0B0H35432123']) expect(decoder.suggest(vin)).toEqual([]);
  });

  test('suggests nothing for a text that no one or two corrections turn into a VIN', () => {
    for (const text of ['', 'hello', '1HGCM82633A0043', '?'.repeat(17), '🚗'.repeat(17), 'A'.repeat(100_000)]) {
      expect(decoder.suggest(text)).toEqual([]);
    }
  });
});

test('of mistyped North American VINs the true one comes first nine times in ten, where people mistake what looks alike or swap two characters', () => {
  const file = new URL('../../../fixtures/vpic/answers-cars.jsonl.gz', import.meta.url);
  const vins = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean).map(vinOf);
  // Every third is drawn before any is decoded, so that the sample does not depend on the catalog.
  const drawn = vins
    .filter((vin) => /^[1-5]/.test(vin) && hasValidCheckDigit(vin))
    .filter((_, index) => index % 3 === 0);
  const sound = drawn.filter((vin) => decoder.decode(vin).model !== undefined);
  const rows = measureLikelyRepair(decoder, sound);
  const first = new Map(rows.map((row) => [row.mistake, row.first]));
  expect(first.get('look-alike')).toBeGreaterThan(0.93);
  expect(first.get('look-alike or swapped')).toBeGreaterThan(0.87);
  // Searches for the other mistakes take far longer, and nothing is promised of them but that they are counted.
  expect(repairTable(measureRepair(decoder, sound.slice(0, 10)))).toContain('| two mistakes | 10 |');
});

function vinOf(line: string): string {
  return (JSON.parse(line) as { vin: string }).vin;
}

function applied(text: string, changes: readonly { position: number; from: string; to: string }[]): string {
  return changes
    .toReversed()
    .reduce(
      (vin, { position, from, to }) => vin.slice(0, position - 1) + to + vin.slice(position - 1 + from.length),
      text,
    );
}
