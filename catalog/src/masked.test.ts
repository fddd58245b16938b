import { openCatalog, readVin, type VehicleReport, VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { labeledSets } from './labels/sets.ts';
import { readLabeled } from './labels/labeled.ts';
import { catalogFile } from './root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** One VIN of so many is compared. */
const EVERY = 40;

const VINS = labeledSets()
  .flatMap((file) => readLabeled(file).map(({ vin }) => vin))
  .filter((vin, index) => index % EVERY === 0 && readVin(vin).kind === 'vin');

/**
 * Fields that repeat the VIN's characters, and texts that are composed of fields: they are shorter if a field is left
 * out.
 */
const COMPOSED: ReadonlySet<string> = new Set([
  'vin',
  'vis',
  'vds',
  'checkDigit',
  'serialNumber',
  'validFormat',
  'engine',
  'plant',
]);

function leaves(report: VehicleReport): [name: string, value: unknown][] {
  const { specs = {}, technicalSpecs = {}, possibleBodyStyles: _, ...flat } = report;
  return Object.entries({ ...flat, ...specs, ...technicalSpecs }).filter(
    ([name, value]) => !COMPOSED.has(name) && value !== 'unknown',
  );
}

const MASKS: readonly (readonly [name: string, mask: (vin: string) => string])[] = [
  ['of 11 characters', (vin) => vin.slice(0, 11)],
  ['without serial number', (vin) => `${vin.slice(0, 11)}******`],
  ['without check digit', (vin) => `${vin.slice(0, 8)}*${vin.slice(9)}`],
  ['without check digit and serial number', (vin) => `${vin.slice(0, 8)}*${vin.slice(9, 11)}******`],
  ['of 14 characters', (vin) => vin.slice(0, 14)],
];

describe.each(MASKS)('a VIN %s', (_name, mask) => {
  test('answers the same as the whole VIN, or leaves the field out', () => {
    for (const vin of VINS) {
      const whole = new Map(leaves(decoder.decode(vin)));
      // A VIN without a model may still be one for which similar VINs give one.
      if (!whole.has('model')) continue;
      for (const [field, value] of leaves(decoder.candidates(mask(vin)).report)) {
        expect([vin, field, value]).toEqual([vin, field, whole.get(field)]);
      }
    }
  });
});

test('a field that the mask leaves open is a candidate, and decided by the market or by the whole VIN', () => {
  // Korea's numbers mean an American car only where the check digit is right.
  const { report, open } = decoder.candidates('KNAJH523895');
  expect(report.model).toBeUndefined();
  expect(open.find(({ field }) => field === 'model')).toMatchObject({ candidates: ['Mohave', 'Borrego'] });
  expect(open.find(({ field }) => field === 'model')?.settledBy).toContain('the whole VIN');
  expect(decoder.candidates('KNAJH523895', { market: 'North America' }).report).toMatchObject({
    vin: 'KNAJH523895******',
    model: 'Borrego',
    modelYear: '2009',
  });
});

test('the only model of all VINs that a masked one may be is the answer', () => {
  // With other characters at 9 these are of no car that is known.
  for (const [masked, make, model] of [
    ['SJNFDAJ1*U3****01', 'Nissan', 'Qashqai'],
    ['WDB211004*A******', 'Mercedes-Benz', 'E-Class'],
    ['JN1TANT31*0******', 'Nissan', 'X-Trail'],
    ['JN1AZ0CP*CT******', 'Nissan', 'Leaf'],
  ] as const) {
    const { report, open } = decoder.candidates(masked);
    expect(report).toMatchObject({ manufacturer: make, model });
    expect(open.map(({ field }) => field)).not.toContain('model');
  }
});

test('an answer of a masked VIN is that of every VIN with a model that it may be', () => {
  const characters = [...VIN_CHARACTERS];
  fc.assert(
    fc.property(fc.constantFrom(...VINS), (vin) => {
      const { model } = decoder.candidates(`${vin.slice(0, 8)}*${vin.slice(9)}`).report;
      const told = new Set(characters.map((one) => decoder.decode(vin.slice(0, 8) + one + vin.slice(9)).model));
      told.delete(undefined);
      expect([vin, model]).toEqual([vin, told.size === 1 ? [...told][0] : undefined]);
    }),
    { numRuns: 150 },
  );
});

test('a masked character within the description leaves the fields open that depend on it', () => {
  expect(decoder.candidates('WA1F2AFY9R2022226').report.model).toBe('Q5 e');
  expect(decoder.candidates('WA1*2AFY9R2022226').report.model).toBeUndefined();
  expect(decoder.candidates('WA1*2AFY9R2022226').report.manufacturer).toBe('Audi');
});

test('models between which a masked VIN does not decide are all there are, and their engines are offered', () => {
  // A Golf Plus has a serial number from 500000.
  const { open, engines } = decoder.candidates('WVWZZZ1KZCW', { fuelType: 'Diesel', powerKw: 77 });
  expect(open.find(({ field }) => field === 'model')?.candidates).toEqual(['Golf', 'Golf Plus']);
  expect(engines[0]).toEqual({ fuelType: 'Diesel', displacementCc: 1598, powerKw: 77 });
});
