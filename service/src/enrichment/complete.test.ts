import { type VehicleReport, readVin, segmentsOf } from '@marque/decoder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { FIESTA, vpicBody } from './testing/provider.ts';
import { type Answer, ANSWER_FIELDS, readStoredAnswer, textOfValue } from './source.ts';
import { completeReport, isUseful } from './complete.ts';
import { readVpicAnswer } from './sources/vpic.ts';
import { anyCharacter } from '../testing/any-character.ts';

const VIN = '3FADP4EJ5EM100000';
const bare = (more: Partial<VehicleReport> = {}): VehicleReport => ({
  vin: VIN,
  ...segmentsOf(VIN),
  validFormat: true,
  bodyStyleNormalized: 'unknown',
  region: 'North America',
  ...more,
});
const named = (more: Answer = {}): Answer => ({ make: 'FORD', model: 'Fiesta', ...more });

describe('a decode', () => {
  test.each([
    [{}, false],
    [{ manufacturer: 'Ford' }, false],
    [{ model: 'Fiesta' }, false],
    [{ manufacturer: 'Ford', model: 'Fiesta' }, true],
  ])('of %j is useful: %s', (report, useful) => {
    expect(isUseful(report)).toBe(useful);
  });
});

describe("a provider's answer", () => {
  test('comes out in the words of the catalog, with its units', () => {
    const found = readVpicAnswer(VIN, vpicBody(VIN, FIESTA));
    const report = found.kind === 'found' ? completeReport(bare(), found.answer, 2026) : undefined;
    expect(report).toEqual({
      ...bare(),
      manufacturer: 'Ford',
      model: 'Fiesta',
      modelYear: '2014',
      trim: 'SE',
      vehicleType: 'Passenger car',
      bodyStyle: 'Hatchback, 5-door',
      bodyStyleNormalized: 'hatchback',
      plant: expect.stringContaining('Mexico'),
      specs: {
        engine: '1.6 L I4, gasoline, 89 kW',
        fuelType: 'Gasoline',
        transmission: 'Manual, 5-speed',
        driveType: 'Front-wheel drive',
        powerKw: 89,
        displacementCc: 1600,
        plantCity: expect.any(String),
        plantCountry: 'Mexico',
      },
    });
  });

  test('may use our own words instead of vPIC ones', () => {
    const words = { body: 'sedan', fuel: 'Petrol', drive: 'all-wheel drive', vehicleType: 'Light commercial vehicle' };
    expect(completeReport(bare(), named(words), 2026)).toMatchObject({
      bodyStyle: 'Sedan',
      bodyStyleNormalized: 'sedan',
      vehicleType: 'Light commercial vehicle',
      specs: { fuelType: 'Gasoline', driveType: 'All-wheel drive' },
    });
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))('may call a body %s, which is no word', (body) => {
    const report = completeReport(bare(), named({ body }), 2026);
    expect(report).toEqual(completeReport(bare(), named({ body: 'no word' }), 2026));
  });

  test("adds to the catalog's values and changes none of them", () => {
    const known = bare({ manufacturer: 'Ford', modelYear: '2014', bodyStyle: 'Sedan', bodyStyleNormalized: 'sedan' });
    const report = completeReport(known, named({ body: 'Wagon', trim: 'SE' }), 2026);
    expect(report).toEqual({ ...known, model: 'Fiesta', trim: 'SE' });
  });

  test.each([
    ['another make', bare({ manufacturer: 'Honda' }), named()],
    ['another model year', bare({ modelYear: '2013' }), named({ modelYear: '2014' })],
    ['a model year that position 10 rules out', bare(), named({ modelYear: '2013' })],
    ['no make', bare(), { model: 'Fiesta' }],
    ['no model', bare(), { make: 'FORD' }],
    ['a model that names none', bare(), named({ model: 'Incomplete' })],
    ['markup for a make', bare(), named({ make: '<script>alert(1)</script>' })],
    ['control characters in a model', bare(), named({ model: 'Fie\u0007sta' })],
  ])('with %s is refused', (_, report, answer) => {
    expect(completeReport(report, answer, 2026)).toBeUndefined();
  });

  test('may name the make that a maker sold the model under', () => {
    const report = bare({ manufacturer: 'Toyota', modelYear: '2014' });
    expect(completeReport(report, { make: 'TOYOTA', model: 'Scion tC' }, 2026)).toMatchObject({
      manufacturer: 'Scion',
    });
  });

  test.each([
    ['Edition 1234567', 'Edition 1234567'],
    ['like WVWZZZ1KZAW851988', undefined],
    ['xWVWZZZ1KZAW851988', undefined],
    ['like WVWZZZ1KZ-AW851988', undefined],
    ['like ＷＶＷＺＺＺ１ＫＺＡＷ８５１９８８', undefined],
  ])('leaves out a text that names another VIN: %s', (trim, left) => {
    expect(completeReport(bare(), { make: 'FORD', model: 'Fiesta', trim }, 2026)?.trim).toBe(left);
  });

  test('leaves only plain words and believable numbers of any answer', () => {
    const wild = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom('-1', '1e9', '99999'),
    );
    const answerOf = fc.dictionary(fc.constantFrom(...ANSWER_FIELDS), wild);
    fc.assert(
      fc.property(answerOf, (values) => {
        const stored = JSON.stringify({
          ...values,
          make: values['make'] ?? 'FORD',
          model: values['model'] ?? 'Fiesta',
        });
        const report = completeReport(bare(), readStoredAnswer(stored), 2026);
        if (report === undefined) return;
        expect(readVin(report.vin)).toMatchObject({ kind: 'vin' });
        expect(leavesOf(report).filter((leaf) => !isDecent(leaf))).toEqual([]);
      }),
    );
  });
});

function isDecent(leaf: unknown): boolean {
  if (typeof leaf === 'number') return leaf > 0 && leaf < 100_000;
  return /^[\p{L}\p{M}\p{N} .,:;!?'’&+*/()-]{0,160}$/u.test(String(leaf));
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

test.each([
  'n/a',
  'N / A.',
  'N.A.',
  'nil',
  'not known',
  'null',
  'Unknown',
  'not available',
  'Not Applicable',
  ' - ',
  '???',
  'TBD',
])('a source that says %j has no value', (text) => {
  expect(textOfValue(text)).toBeUndefined();
  expect(readStoredAnswer(JSON.stringify({ make: text, market: 'NA' }))).toEqual({ market: 'NA' });
});

test('a value of a source is text of a bounded length, or nothing', () => {
  expect(['', '  ', ' x ', 5, Number.NaN, true, null, {}, [], 'x'.repeat(121)].map(textOfValue)).toEqual([
    undefined,
    undefined,
    'x',
    '5',
    undefined,
    'Yes',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
