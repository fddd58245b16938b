import type { VehicleReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { applyFields } from './apply.ts';
import { faultsInFields, OVERRIDABLE_FIELDS } from './fields.ts';
import type { OverrideFields } from './types.ts';
import { fieldLabel } from '../report/report-rows.ts';

test('every field of the report but its segments can be set', () => {
  expect(OVERRIDABLE_FIELDS).toEqual(
    expect.arrayContaining(['model', 'bodyStyleNormalized', 'specs.fuelType', 'technicalSpecs.lengthMm']),
  );
  for (const segment of ['vin', 'wmi', 'checkDigit', 'validFormat', 'specs', 'technicalSpecs']) {
    expect(OVERRIDABLE_FIELDS).not.toContain(segment);
  }
});

test.each<[OverrideFields, string]>([
  [{}, 'Set at least one field.'],
  [{ vin: 'x' }, 'vin is not a field that can be set.'],
  [{ colour: 'red' }, 'colour is not a field that can be set.'],
  [{ __proto__x: 'y' }, '__proto__x is not a field'],
  [{ model: 5 }, 'model must be text.'],
  [{ model: '=cmd|"/C calc"!A1' }, 'none of = + - @ first'],
  [{ model: 'Accord\u3164' }, 'printable characters'],
  [{ model: 'Acc\u034Ford' }, 'printable characters'],
  [{ model: 'Accord\u2800' }, 'printable characters'],
  [{ model: '' }, 'model must be 1 to 200 printable characters'],
  [{ model: ' Golf' }, 'with no space before or after'],
  [{ model: 'Go\u202elf' }, 'printable'],
  [{ model: 'Go\u0000lf' }, 'printable'],
  [{ model: 'x'.repeat(201) }, '1 to 200'],
  [{ modelYear: '05' }, 'modelYear must be a year of four digits.'],
  [{ 'specs.powerKw': '77' }, 'specs.powerKw must be a number.'],
  [{ 'specs.powerKw': -1 }, 'specs.powerKw must be above 0.'],
  [{ 'specs.powerKw': Number.NaN }, 'specs.powerKw must be'],
  [{ bodyStyleNormalized: 'boat' }, 'bodyStyleNormalized must be unknown, other, sedan'],
  [{ bodyStyleNormalized: null }, 'cannot be left out'],
  [{ manufacturer: null }, 'manufacturer cannot be left out: without a make'],
  [{ bodyStyle: 'Saloon' }, 'Set bodyStyleNormalized together with bodyStyle'],
  [{ bodyStyle: 'Saloon', bodyStyleNormalized: 'unknown' }, 'cannot be unknown where bodyStyle is known'],
  [{ possibleBodyStyles: [] }, 'possibleBodyStyles must hold 1 to 14 texts.'],
  [{ possibleBodyStyles: JSON.parse('["a", 7]') }, 'possibleBodyStyles must be text.'],
])('%j is refused: %s', (fields, fault) => {
  expect(faultsInFields(fields).join(' ')).toContain(fault);
});

test('a page names fields by their labels', () => {
  const fields = { modelYear: '05', bodyStyle: 'Saloon', manufacturer: null, 'specs.powerKw': -1 };
  const faults = faultsInFields(fields, fieldLabel).join(' ');
  expect(faults).toContain('Model year must be a year of four digits.');
  expect(faults).toContain('Set Body category together with Body style');
  expect(faults).toContain('Make cannot be left out');
  expect(faults).toContain('Power (kW) must be above 0.');
  expect(faults).not.toMatch(/modelYear|bodyStyle|manufacturer|specs/);
});

test('all faults are reported at once', () => {
  expect(faultsInFields({ model: '', 'specs.powerKw': 0, x: 'y' })).toHaveLength(3);
});

const REPORT: VehicleReport = {
  vin: 'WVWZZZ1KZ5W123456',
  wmi: 'WVW',
  vds: 'ZZZ1KZ',
  vis: '5W123456',
  checkDigit: 'Z',
  yearCode: '5',
  plantCode: 'W',
  serialNumber: '123456',
  validFormat: true,
  manufacturer: 'Volkswagen',
  model: 'Golf',
  bodyStyleNormalized: 'unknown',
  possibleBodyStyles: ['Hatchback', 'Station wagon'],
  specs: { engine: '1.9 TDI' },
};

test('an override sets, adds and leaves out fields, and the report given stays as it is', () => {
  const before = structuredClone(REPORT);
  const fields = { model: 'Jetta', trim: 'GT', 'specs.engine': null, 'technicalSpecs.lengthMm': 4554 };
  const { specs: _engine, ...rest } = REPORT;
  expect(applyFields(REPORT, fields)).toEqual({
    ...rest,
    model: 'Jetta',
    trim: 'GT',
    technicalSpecs: { lengthMm: 4554 },
  });
  expect(REPORT).toEqual(before);
});

test('a known body style leaves no others possible', () => {
  const settled = applyFields(REPORT, { bodyStyle: 'Station wagon', bodyStyleNormalized: 'wagon' });
  expect(settled).toMatchObject({ bodyStyle: 'Station wagon', bodyStyleNormalized: 'wagon' });
  expect(settled).not.toHaveProperty('possibleBodyStyles');
});
