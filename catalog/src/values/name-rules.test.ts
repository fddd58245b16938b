import { DriveNames, NameRules } from '@marque/decoder/format';
import { expect, test } from 'vitest';

import { badgeRewrites, driveNames, fuelNames } from './index.ts';

const rules = new NameRules(badgeRewrites(), fuelNames());

const CAR = { make: 'Mercedes-Benz', model: '', modelYear: 0, body: 'unknown', driveType: '' } as const;

test.each([
  [{ ...CAR, model: 'E-Class' }, 'E350 4MATIC', 'E 350 4MATIC'],
  [{ ...CAR, model: 'GLE' }, 'AMG GLE53 4MATIC', 'AMG GLE 53 4MATIC'],
  [{ ...CAR, model: 'GLE' }, 'GLE350d 4MATIC', 'GLE 350 d 4MATIC'],
  [{ ...CAR, model: 'GLE' }, 'GLE 350d', 'GLE 350 d'],
  [{ ...CAR, model: 'GLE' }, 'GLE Coupe 350de 4MATIC', 'GLE 350de 4MATIC Coupe'],
  [{ ...CAR, model: 'E-Class' }, 'E 43 AMG 4MATIC', 'AMG E 43 4MATIC'],
  [{ ...CAR, model: 'E-Class', modelYear: 2002 }, '430 4MATIC', 'E 430 4MATIC'],
  [{ ...CAR, model: 'E-Class', modelYear: 1993 }, '300', '300'],
  [{ ...CAR, model: 'M-Class', modelYear: 2002 }, '430', '430'],
  [{ ...CAR, model: 'C-Class', body: 'wagon' }, 'C 220 CDI T', 'C 220 CDI'],
  [{ ...CAR, model: 'C-Class', body: 'sedan' }, 'C 220 CDI T', 'C 220 CDI T'],
  [{ ...CAR, make: 'BMW', driveType: 'Rear-wheel drive' }, '330xi', '330i'],
  [{ ...CAR, make: 'BMW', driveType: 'All-wheel drive' }, '330xi', '330xi'],
  [{ ...CAR, make: 'Lexus', model: 'ES' }, 'E350', 'E350'],
] as const)('of %o the badge "%s" is written "%s"', (car, badge, written) => {
  expect(rules.rewrite(badge, car)).toBe(written);
});

test.each([
  ['Toyota', 'Prius Prime', 'Plug-in hybrid'],
  ['Audi', 'Q5 e', 'Plug-in hybrid'],
  ['Mercedes-Benz', 'S550e', 'Plug-in hybrid'],
  ['Mercedes-Benz', 'AMG GLE 53e 4MATIC', 'Plug-in hybrid'],
  ['BMW', '550e xDrive', 'Plug-in hybrid'],
  ['BMW', 'X5 xDrive45e', 'Plug-in hybrid'],
  ['Ford', 'SE Energi', 'Plug-in hybrid'],
  ['Jeep', 'Sahara 4xe', 'Plug-in hybrid'],
  ['Kia', 'Plug-in EX', 'Plug-in hybrid'],
  ['BMW', 'ActiveHybrid 5', 'Hybrid'],
  ['Honda', 'EX Hybrid', 'Hybrid'],
])('the name of a %s "%s" gives the fuel %s', (make, name, fuel) => {
  const given = ['Plug-in hybrid', 'Hybrid'].filter((one) => rules.nameFuel(one, make, ['', name]));
  expect(given).toEqual([fuel]);
});

test.each([
  ['Ford', 'Edge SEL'],
  ['Lexus', 'RX 450h'],
  ['Audi', 'A4 Premium'],
  ['Mazda', 'Prime'],
])('the name of a %s "%s" gives none', (make, name) => {
  expect(['Plug-in hybrid', 'Hybrid'].some((fuel) => rules.nameFuel(fuel, make, [name]))).toBe(false);
});

const drives = new DriveNames(driveNames());

test.each([
  ['X5 xDrive40e', 'all'],
  ['E 450 4matic+', 'all'],
  ['Cooper S ALL4', 'all'],
  ['SH-AWD Advance', 'all'],
  ['sDrive30i', 'two'],
  ['Sport FWD', 'front'],
  ['FWD/AWD', ''],
  ['Drawdown', ''],
  ['Premium Plus', ''],
] as const)('the trim "%s" names the driven wheels "%s"', (trim, named) => {
  expect(drives.of({ badge: '', modelCode: '', trim, bodyLabel: '' })).toBe(named);
});

test.each([
  ['quattro', ''],
  ['SH-E-AWD A-Spec', 'A-Spec'],
  ['xDrive30d', 'xDrive30d'],
  ['4x4 2500', '4x4 2500'],
  ['ALL4 Oakwood', 'ALL4 Oakwood'],
])('of the trim "%s" remains "%s" without the driven wheels before it', (trim, rest) => {
  expect(drives.without(trim)).toBe(rest);
});
