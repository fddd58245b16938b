import { expect, test } from 'vitest';

import { rowGroups, titleLine } from './report-rows.ts';

const REPORT = {
  manufacturer: 'Honda',
  model: 'Accord',
  trim: 'EX-V6',
  modelYear: '2003',
  bodyStyle: 'Coupe',
  bodyStyleNormalized: 'coupe',
  possibleBodyStyles: ['coupe', 'sedan'],
  vehicleType: 'unknown',
  specs: { engine: '3.0L V6', driveType: 'FWD' },
  technicalSpecs: { lengthMm: 4765, curbWeightKg: 1500 },
};

test('the title line names the vehicle', () => {
  expect(titleLine(REPORT)).toBe('2003 Honda Accord EX-V6 · Coupe · 3.0L V6 · FWD');
  expect(titleLine({})).toBe('We do not know this maker.');
});

test('nothing is repeated, and nothing unknown is shown', () => {
  const rows = rowGroups(REPORT).flatMap((group) => group.rows);
  expect(rows.filter(({ text }) => /coupe/i.test(text))).toHaveLength(1);
  expect(rows.some(({ text }) => /unknown/i.test(text))).toBe(false);
});

test.each([
  ['2.0 L I4 turbo, gasoline, 147 kW', 'Gasoline', 147.2, '2.0 L I4 turbo'],
  ['1.6 L, diesel, 77 kW', 'Diesel', 77, undefined],
  ['3.0L V6', undefined, undefined, '3.0L V6'],
  ['Electric, 150 kW', 'Electric', 150, undefined],
  ['1.6 TDI, diesel, 77 kW', 'Diesel', undefined, '1.6 TDI, 77 kW'],
])('the engine %s does not repeat fuel, size, and power that have rows below', (engine, fuelType, powerKw, text) => {
  const specs = { engine, fuelType, powerKw, displacementCc: 1598 };
  const rows = rowGroups({ specs }).flatMap((group) => group.rows);
  expect(rows.find(({ label }) => label === 'Engine')?.text).toBe(text);
});

test('the title line names the fuel of an engine that has no other name', () => {
  const specs = { engine: 'Electric, 150 kW', fuelType: 'Electric', powerKw: 150, driveType: 'RWD' };
  expect(titleLine({ ...REPORT, specs })).toBe('2003 Honda Accord EX-V6 · Coupe · Electric · RWD');
});

const labelsOf = (report: Record<string, unknown>) =>
  rowGroups(report).flatMap((group) => group.rows.map(({ label, text }) => [label, text]));

test('a body that is not known shows its possible values, and a known category is a word', () => {
  expect(labelsOf({ bodyStyleNormalized: 'unknown', possibleBodyStyles: ['coupe', 'sedan'] })).toEqual([
    ['Possible bodies', 'coupe, sedan'],
  ]);
  expect(labelsOf({ bodyStyleNormalized: 'suv' })).toEqual([['Body style', 'SUV']]);
});

test.each(Object.getOwnPropertyNames(Object.prototype))('the body %s is shown as a name', (bodyStyle) => {
  const shown = bodyStyle.charAt(0).toUpperCase() + bodyStyle.slice(1);
  expect(labelsOf({ bodyStyle })).toEqual([['Body style', shown]]);
});

test('measures are given in metric and in US units', () => {
  const rows = rowGroups(REPORT).flatMap((group) => group.rows);
  expect(rows.find(({ label }) => label === 'Length')).toMatchObject({
    text: '4,765\u00a0mm',
    usText: '187.6\u00a0in',
  });
  expect(rows.find(({ label }) => label === 'Curb weight')).toMatchObject({ usText: '3,307\u00a0lb' });
});
