import { describe, expect, test } from 'vitest';

import { type Draft, emptyDraft } from '../report/draft.ts';
import { Ledger } from './ledger.ts';
import { NameRules } from './name-rules.ts';
import { DriveNames } from '../specs/drive-names.ts';
import { claimWords, fuelOfName, settledTrim } from './wording.ts';

test.each([
  ['EX-L', 'EX-L'],
  ['R/T Scat Pack', 'R/T Scat Pack'],
  ['350/350 F Sport', '350'],
  ['SE, SE w/Technology', 'SE'],
  ['w/DC Fast Charge', ''],
  ['SE w/Technology', 'SE with Technology'],
  ['LT (1LT)', 'LT'],
  ['Limited + M/R + ES + Navi', 'Limited'],
  ['L/LE/SE/XLE', ''],
  ['Crossover (US)/Crossover Premium (US)/JX (Canada)', ''],
  ['S (2WD), 4S (4WD)', ''],
  ['A 170 / A 180', ''],
  ['chassis cab, medium (4.6/5 t)', ''],
])('of the trims "%s" remains "%s"', (trims, settled) => {
  expect(settledTrim(trims)).toBe(settled);
});

/** Rules of one make that does not exist; those of others have their test beside the table. */
const RULES = new NameRules(
  [
    { make: 'Bolt', pattern: '^(\\d{3})xi\\b', replacement: '$1i', model: '', from: 0, to: 0, body: '', drive: 'two' },
    {
      make: 'Bolt',
      pattern: '^(\\d{3})$',
      replacement: '{model} $1',
      model: '^([A-Z])-Class$',
      from: 1994,
      to: 1999,
      body: 'wagon',
      drive: '',
    },
  ],
  [
    { make: '*', pattern: '\\bPHEV\\b', fuel: 'Plug-in hybrid' },
    { make: '*', pattern: '\\bHybrid\\b', fuel: 'Hybrid' },
    { make: 'Bolt', pattern: '\\bVolta\\b', fuel: 'Plug-in hybrid' },
  ],
);

const DRIVE_NAMES = new DriveNames([
  { name: 'FourAll', drive: 'all', apart: true },
  { name: 'twoDrive', drive: 'two', apart: true },
]);

function tidied(settled: Partial<Draft>, bodies: readonly string[] = []): Draft {
  const ledger = new Ledger();
  ledger.clear({ ...emptyDraft(), make: 'Acme', ...settled });
  claimWords(ledger, {
    familyBodies: () => new Set(bodies),
    trimName: (_, trim) => trim,
    rules: RULES,
    driveNames: DRIVE_NAMES,
  });
  return ledger.known;
}

test.each([
  [{ model: 'Escalade ESV', trim: 'ESV Luxury' }, 'Luxury'],
  [{ model: 'Santa Fe Sport', trim: 'Sport' }, ''],
  [{ model: 'Vito', trim: 'Vito van long' }, 'Vito van long'],
  [{ model: 'Q5', trim: 'fourall' }, ''],
  [{ model: 'Q5', trim: 'FourAll Premium Plus' }, 'Premium Plus'],
  [{ model: 'M4', trim: 'twoDrive Competition' }, 'Competition'],
  [{ model: 'X5', trim: 'twoDrive30d' }, 'twoDrive30d'],
  [{ model: 'Fusion', trim: 'Titanium AWD' }, 'Titanium AWD'],
  [{ make: 'Bolt', model: '3', badge: '330xi', driveType: 'Rear-wheel drive' }, '330i'],
  [{ make: 'Bolt', model: '3', badge: '330xi', driveType: 'All-wheel drive' }, '330xi'],
  [{ model: '3', badge: '330xi', driveType: 'Rear-wheel drive' }, '330xi'],
  [{ make: 'Bolt', model: 'E-Class', body: 'wagon', modelYear: 1994, trim: '430' }, 'E 430'],
  [{ make: 'Bolt', model: 'E-Class', body: 'wagon', modelYear: 1993, trim: '430' }, ''],
  [{ make: 'Bolt', model: 'E-Class', body: 'wagon', modelYear: 2000, trim: '430' }, ''],
  [{ make: 'Bolt', model: 'E-Class', body: 'wagon', trim: '430' }, ''],
  [{ make: 'Bolt', model: 'E-Class', body: 'sedan', modelYear: 1994, trim: '430' }, ''],
  [{ make: 'Bolt', model: '430-Class', body: 'wagon', modelYear: 1994, trim: '430' }, ''],
] as const)('of %o the trim is "%s"', (said, trim) => {
  expect(tidied(said).trim).toBe(trim);
});

test.each([
  [{ model: 'C-Max', trim: 'SE PHEV', fuelType: 'Hybrid' }, 'Plug-in hybrid'],
  [{ make: 'Bolt', model: 'Volta', fuelType: 'Hybrid' }, 'Plug-in hybrid'],
  [{ make: 'Acme', model: 'Volta', fuelType: 'Hybrid' }, ''],
  [{ model: 'C-Max', trim: 'SE PHEV' }, 'Plug-in hybrid'],
  [{ model: 'Escalade', trim: 'Platinum Hybrid' }, 'Hybrid'],
  [{ model: 'Fusion', trim: 'SE Hybrid', fuelType: 'Hybrid' }, ''],
  [{ model: 'Escape', trim: 'SE PHEV/SE HEV', fuelType: 'Hybrid' }, ''],
  [{ model: 'Optima', trim: 'PHEV Hybrid EX', fuelType: 'Gasoline' }, ''],
  [{ model: 'E-Class', trim: 'E 300 BlueTEC Hybrid', fuelType: 'Diesel' }, ''],
])('of %o the name says the fuel "%s"', (said, fuel) => {
  expect(fuelOfName({ ...emptyDraft(), ...said }, RULES)).toBe(fuel);
});

describe('a vehicle type', () => {
  test('of a minivan is that of a passenger car', () => {
    expect(tidied({ vehicleType: '', body: 'van', bodyLabel: 'Minivan' }).vehicleType).toBe('Passenger car');
  });

  test.each([
    ['Passenger car', 'van', 'Van'],
    ['Multipurpose passenger vehicle', 'suv', 'SUV'],
    ['Multipurpose passenger vehicle', 'unknown', ''],
    ['Truck', 'pickup', 'Pickup'],
    ['', 'sedan', 'Passenger car'],
    ['Passenger car', 'unknown', 'Passenger car'],
    ['Bus', 'van', 'Bus'],
    ['Trailer', 'trailer', 'Trailer'],
    ['Trailer', 'truck', ''],
    ['Motorcycle', 'suv', ''],
    ['Incomplete vehicle', 'truck', 'Incomplete vehicle'],
  ] as const)('of the class "%s" and the body %s is "%s"', (vehicleType, body, expected) => {
    expect(tidied({ vehicleType, body }).vehicleType).toBe(expected);
  });
});

test.each([
  [['suv'], 'Passenger car', 'SUV'],
  [['van'], 'Passenger car', 'Van'],
  [['sedan', 'wagon'], '', 'Passenger car'],
  [['sedan', 'suv'], '', ''],
  [['van'], '', ''],
  [['van', 'suv'], 'Passenger car', ''],
  [['van', 'wagon'], 'Passenger car', 'Passenger car'],
  [[], 'Passenger car', 'Passenger car'],
  [['suv'], 'Trailer', 'Trailer'],
])('of a family with the bodies %j a "%s" of open body is "%s"', (bodies, vehicleType, expected) => {
  expect(tidied({ vehicleType }, bodies).vehicleType).toBe(expected);
});

test('a badge comes before the trim, once', () => {
  expect(tidied({ model: 'Rocket', badge: '328i', trim: 'xDrive' }).trim).toBe('328i xDrive');
  expect(tidied({ model: 'Rocket', badge: 'C300', trim: 'C300 4MATIC' }).trim).toBe('C300 4MATIC');
  expect(tidied({ model: 'Rocket', badge: '330i' }).trim).toBe('330i');
  expect(tidied({ model: 'Rocket', badge: '1500', trim: 'SLT', body: 'pickup' }).trim).toBe('1500 SLT');
  expect(tidied({ model: 'Rocket', badge: '1500', trim: 'Luxury', body: 'suv' }).trim).toBe('Luxury');
});

test('a number that appears only after the letters of the model comes after them', () => {
  expect(tidied({ model: 'ES', trim: '350' }).trim).toBe('ES 350');
  expect(tidied({ model: 'RX', badge: '350h', trim: '350h Luxury' }).trim).toBe('RX 350h Luxury');
  expect(tidied({ model: 'NX', badge: '350H', trim: '350H Base' }).trim).toBe('NX 350h Base');
  expect(tidied({ model: 'CX', trim: 'Touring' }).trim).toBe('Touring');
  expect(tidied({ model: 'Silverado', trim: '1500 LT', body: 'pickup' }).trim).toBe('1500 LT');
});

test('a works code that is the generation is not repeated', () => {
  expect(tidied({ model: 'Rocket', badge: '952', generation: '952' }).trim).toBe('');
  expect(tidied({ model: 'Rocket', modelCode: 'KF', generation: 'KF' })).toMatchObject({
    modelCode: '',
    generation: 'KF',
  });
});

test('a trim that belongs to a model is not shown without it', () => {
  expect(tidied({ trim: 'XLE', generation: 'NF' })).toMatchObject({ trim: '', generation: '' });
});

test('an electric car has one speed and no displacement, a plug-in hybrid has gears', () => {
  const electric = tidied({ fuelType: 'Electric', transmission: 'Automatic, CVT', displacementCc: 1600, cylinders: 4 });
  expect(electric).toMatchObject({ transmission: 'Automatic, single-speed', displacementCc: 0, cylinders: 0 });
  expect(tidied({ fuelType: 'Electric', transmission: 'Automatic, 2-speed' }).transmission).toBe('Automatic, 2-speed');
  expect(tidied({ fuelType: 'Plug-in hybrid', transmission: 'Automatic, single-speed' }).transmission).toBe(
    'Automatic',
  );
});
