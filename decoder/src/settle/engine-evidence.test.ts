import { expect, test } from 'vitest';

import { Ledger } from './ledger.ts';
import { CONFIGURATIONS, type Draft, emptyDraft } from '../report/draft.ts';
import { checkEngineCode, dropContradictedCode, dropImpossibleEngine } from './engine-evidence.ts';

function ledgerOf(values: Partial<Draft>): Ledger {
  const ledger = new Ledger();
  ledger.clear({ ...emptyDraft(), ...values });
  return ledger;
}

test.each([
  ['code and size outvote the cylinders', { cylinders: 4, displacementCc: 3471 }, 35, 6, 'J35A1'],
  ['cylinders and size outvote the code', { cylinders: 4, displacementCc: 2156 }, 35, 4, ''],
  ['without a size neither is said', { cylinders: 4 }, 35, 0, ''],
  ['without cylinders the code is kept', { displacementCc: 3471 }, 35, 0, 'J35A1'],
  ['a code of another size is not the engine', { cylinders: 6, displacementCc: 2990 }, 35, 6, ''],
  ['alone, the code tells the cylinders', {}, 35, 6, 'J35A1'],
])('%s', (_, said, tenths, cylinders, engineModel) => {
  const ledger = ledgerOf({ ...said, engineModel: 'J35A1', codeCylinders: 6 });
  checkEngineCode(ledger, tenths);
  expect(ledger.known).toMatchObject({ cylinders, engineModel });
});

test('a code gives the size if no row has one, unless the cylinders contradict the code', () => {
  const sizes = [6, 4].map((cylinders) => {
    const ledger = ledgerOf({ cylinders, engineModel: 'J35A1', codeCylinders: 6 });
    checkEngineCode(ledger, 35);
    return ledger.known.displacementCc;
  });
  expect(sizes).toEqual([3500, 0]);
});

test('a code that contradicts the cylinders of a later list is dropped', () => {
  const ledger = ledgerOf({ engineModel: '2UZ-FE', codeCylinders: 8, cylinders: 6 });
  dropContradictedCode(ledger);
  expect(ledger.known.engineModel).toBe('');
});

test.each([
  ['a straight eight has eight cylinders', { cylinders: 8, displacementCc: 4293 }, 'Inline', 8, 4293],
  ['a flat three has three', { cylinders: 3, displacementCc: 1189 }, 'Flat', 3, 1189],
  ['four cylinders stand in no V', { cylinders: 4, displacementCc: 2200 }, 'V', 4, 2200],
  ['six cylinders of 152 cc are a slip', { cylinders: 6, displacementCc: 152 }, 'Inline', 0, 0],
  ['four cylinders of 5.7 liters are none of a car', { cylinders: 4, displacementCc: 5700 }, 'V', 0, 0],
])('%s, and its layout is not said', (_, said, layout, cylinders, displacementCc) => {
  const ledger = ledgerOf({
    ...said,
    vehicleType: 'Passenger car',
    configuration: CONFIGURATIONS.findIndex((name) => name === layout),
  });
  dropImpossibleEngine(ledger);
  expect(ledger.known).toMatchObject({ cylinders, displacementCc, configuration: 0 });
});

test.each([
  ['Truck', { cylinders: 6, displacementCc: 16_000 }],
  ['Motorcycle', { cylinders: 4, displacementCc: 249 }],
  ['Passenger car', { cylinders: 8, displacementCc: 6750 }],
])('a %s keeps the engine that such vehicles have', (vehicleType, said) => {
  const ledger = ledgerOf({ ...said, vehicleType });
  dropImpossibleEngine(ledger);
  expect(ledger.known).toMatchObject(said);
});
