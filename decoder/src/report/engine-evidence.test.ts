import { expect, test } from 'vitest';

import { CONFIGURATIONS, type Draft, emptyDraft } from './draft.ts';
import { dropContradictedCode, dropImpossibleEngine, settleEngine } from './engine-evidence.ts';

const drafted = (said: Partial<Draft>): Draft => ({ ...emptyDraft(), ...said });

test.each([
  ['code and size outvote the cylinders', { cylinders: 4, displacementCc: 3471 }, 35, 6, 'J35A1'],
  ['cylinders and size outvote the code', { cylinders: 4, displacementCc: 2156 }, 35, 4, ''],
  ['without a size neither is said', { cylinders: 4 }, 35, 0, ''],
  ['without cylinders the code is kept', { displacementCc: 3471 }, 35, 0, 'J35A1'],
  ['a code of another size is not the engine', { cylinders: 6, displacementCc: 2990 }, 35, 6, ''],
  ['alone, the code tells the cylinders', {}, 35, 6, 'J35A1'],
])('%s', (_, said, tenths, cylinders, engineModel) => {
  const draft = drafted({ ...said, engineModel: 'J35A1', codeCylinders: 6 });
  settleEngine(draft, tenths);
  expect(draft).toMatchObject({ cylinders, engineModel });
});

test('the size that a code means is said where no row has one, unless the cylinders speak against the code', () => {
  const sizes = [6, 4].map((cylinders) => {
    const draft = drafted({ cylinders, engineModel: 'J35A1', codeCylinders: 6 });
    settleEngine(draft, 35);
    return draft.displacementCc;
  });
  expect(sizes).toEqual([3500, 0]);
});

test('a code that contradicts the cylinders which a list settles later is dropped', () => {
  const draft = drafted({ engineModel: '2UZ-FE', codeCylinders: 8, cylinders: 6 });
  dropContradictedCode(draft);
  expect(draft.engineModel).toBe('');
});

test.each([
  ['a straight eight has eight cylinders', { cylinders: 8, displacementCc: 4293 }, 'Inline', 8, 4293],
  ['a flat three has three', { cylinders: 3, displacementCc: 1189 }, 'Flat', 3, 1189],
  ['four cylinders stand in no V', { cylinders: 4, displacementCc: 2200 }, 'V', 4, 2200],
  ['six cylinders of 152 cc are a slip', { cylinders: 6, displacementCc: 152 }, 'Inline', 0, 0],
  ['four cylinders of 5.7 liters are none of a car', { cylinders: 4, displacementCc: 5700 }, 'V', 0, 0],
])('%s, and its layout is not said', (_, said, layout, cylinders, displacementCc) => {
  const draft = drafted({
    ...said,
    vehicleType: 'Passenger car',
    configuration: CONFIGURATIONS.findIndex((name) => name === layout),
  });
  dropImpossibleEngine(draft);
  expect(draft).toMatchObject({ cylinders, displacementCc, configuration: 0 });
});

test.each([
  ['Truck', { cylinders: 6, displacementCc: 16_000 }],
  ['Motorcycle', { cylinders: 4, displacementCc: 249 }],
  ['Passenger car', { cylinders: 8, displacementCc: 6750 }],
])('a %s keeps the engine that such vehicles have', (vehicleType, said) => {
  const draft = drafted({ ...said, vehicleType });
  dropImpossibleEngine(draft);
  expect(draft).toMatchObject(said);
});
