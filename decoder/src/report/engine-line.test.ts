import { expect, test } from 'vitest';

import { CONFIGURATIONS, emptyDraft } from './draft.ts';
import { engineLine } from './engine-line.ts';

const [, INLINE, V, , FLAT, ROTARY] = CONFIGURATIONS.keys();

test.each([
  [
    { displacementCc: 1984, cylinders: 4, configuration: INLINE, turbo: true, fuelType: 'Gasoline', powerKw: 147 },
    '2.0 L I4 turbo, gasoline, 147 kW',
  ],
  [
    { displacementCc: 3471, cylinders: 6, configuration: V, engineModel: 'J35Y6', fuelType: 'Gasoline' },
    '3.5 L V6 (J35Y6), gasoline',
  ],
  [{ displacementCc: 2498, cylinders: 4, configuration: FLAT, turbo: false }, '2.5 L flat-4'],
  [{ displacementCc: 649, cylinders: 2, engineModel: '4-Value' }, '649 cc 2-cylinder'],
  [{ displacementCc: 1308, configuration: ROTARY, fuelType: 'LPG' }, '1.3 L rotary, LPG'],
  [{ fuelType: 'Electric', powerKw: 150.4 }, 'Electric, 150 kW'],
  [{ fuelType: 'Diesel' }, ''],
  [{ displacementCc: 1950, engineModel: 'OM654' }, '2.0 L (OM654)'],
  [{ displacementCc: 1969, engineModel: 'B4204T (B5)' }, '2.0 L (B4204T)'],
  [{ engineModel: 'Cummins ISB' }, ''],
  [{ engineModel: 'V8' }, ''],
  [{ engineModel: 'U5' }, ''],
  [{ engine: 'Hybrid', displacementCc: 2487, fuelType: 'Hybrid', powerKw: 160 }, '2.5 L, hybrid, 160 kW'],
  [{ engine: 'Hybrid', fuelType: 'Hybrid', powerKw: 160 }, 'Hybrid, 160 kW'],
  [{ engine: '1.6 TDI', displacementCc: 1598, fuelType: 'Diesel', powerKw: 77 }, '1.6 TDI, diesel, 77 kW'],
  [{ engine: '2.0', displacementCc: 1994, fuelType: 'Gasoline' }, '2.0 L, gasoline'],
  [
    { engine: 'Hybrid', engineModel: 'A25A-FXS', displacementCc: 2487, fuelType: 'Hybrid', powerKw: 160 },
    '2.5 L (A25A-FXS), hybrid, 160 kW',
  ],
  [{ engine: 'Hybrid AWD-i', fuelType: 'Hybrid', powerKw: 163 }, 'Hybrid, 163 kW'],
  [{}, ''],
])('an engine of %o reads %j', (facts, line) => {
  expect(engineLine(Object.assign(emptyDraft(), facts))).toBe(line);
});
