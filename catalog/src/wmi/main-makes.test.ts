import { openCatalog, VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeOne } from '../lab/accuracy/sets.ts';
import { labeledSets } from '../labels/sets.ts';
import { compareField } from '../labels/compare.ts';
import { readLabeled } from '../labels/labeled.ts';
import { catalogFile } from '../root.ts';
import { readWmis } from './wmis.ts';

/** The share of vehicles for which a main make has to be right: 99 of 100, of 20 at least. */
const REQUIRED = 0.99;
const FEWEST = 20;

const decoder = openCatalog(catalogFile());
const main = readWmis().filter(({ mainMake }) => mainMake !== undefined);
const cars = labeledSets()
  .flatMap((file) => readLabeled(file))
  .filter(({ expected }) => expected.manufacturer !== undefined);

test('a main make is one of the makes of a WMI that several share', () => {
  expect(main.filter(({ makes, mainMake }) => makes.length < 2 || !makes.includes(mainMake ?? ''))).toEqual([]);
});

test.each(main)('of labeled cars under $wmi without another answer, $mainMake is the make', ({ wmi, mainMake }) => {
  const scored = cars
    .filter(({ vin }) => vin.startsWith(wmi))
    .map((labeled) => decodeOne(decoder, labeled))
    .filter(({ report }) => report.manufacturer === mainMake);
  const right = scored.filter(({ labeled, report }) => compareField('manufacturer', labeled, report) === 'right');
  expect(scored.length).toBeGreaterThanOrEqual(FEWEST);
  expect(right.length / scored.length).toBeGreaterThanOrEqual(REQUIRED);
});

test('a VIN of such a WMI without a model has a make, whatever follows', () => {
  const rest = fc.string({
    unit: fc.constantFrom(...VIN_CHARACTERS),
    minLength: 14,
    maxLength: 14,
  });
  fc.assert(
    fc.property(fc.constantFrom(...main), rest, ({ wmi, makes }, text) => {
      const { model, manufacturer } = decoder.decode(wmi + text);
      expect(model !== undefined || makes.includes(manufacturer ?? '')).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['Lifan, before Livan', 'LLVZZ99Z1DD001000', 'Lifan', '2013'],
  ['GAC, before Aion', 'LNAZZ99Z9FD001000', 'GAC', '2015'],
  ['Seres, before Aito', 'LM8ZZ99Z6LD001000', 'Seres', '2020'],
  ['Livan, Lifan or Geely', 'LLVZZ99Z6PD001000', undefined, undefined],
  ['Aion or GAC', 'LNAZZ99Z7PD001000', undefined, undefined],
  ['Seres or Aito', 'LM8ZZ99Z9PD001000', undefined, undefined],
])('a WMI has a make, and with it a year, only while others do not share it: %s', (_, vin, manufacturer, modelYear) => {
  const report = decoder.decode(vin);
  expect([report.manufacturer, report.modelYear]).toEqual([manufacturer, modelYear]);
});
