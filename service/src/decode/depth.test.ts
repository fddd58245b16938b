import type { VehicleReport } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { project, depthOf, metadataFor } from './depth.ts';
import { PLANS } from '../workspaces/index.ts';

const SEGMENTS_ONLY: VehicleReport = {
  vin: 'ZZZ00000000000000',
  wmi: 'ZZZ',
  vds: '000000',
  vis: '00000000',
  checkDigit: '0',
  yearCode: '0',
  plantCode: '0',
  serialNumber: '000000',
  validFormat: true,
  bodyStyleNormalized: 'unknown',
};

const RICH: VehicleReport = {
  ...SEGMENTS_ONLY,
  manufacturer: 'Honda',
  model: 'Accord',
  modelYear: '2003',
  region: 'North America',
  bodyStyle: 'Coupe',
  bodyStyleNormalized: 'coupe',
  trim: 'EX-V6',
  possibleBodyStyles: ['Coupe', 'Sedan'],
  specs: { engine: '3.0L V6', powerKw: 179 },
  technicalSpecs: { lengthMm: 4813 },
};

test('anonymous and free callers see exactly the nine basic fields', () => {
  for (const plan of [undefined, 'free'] as const) {
    expect(Object.keys(project(depthOf(plan), RICH))).toEqual([
      'vin',
      'wmi',
      'vds',
      'manufacturer',
      'model',
      'bodyStyle',
      'bodyStyleNormalized',
      'modelYear',
      'region',
    ]);
  }
});

test('paid plans see every field that has a value', () => {
  for (const plan of ['starter', 'business', 'enterprise'] as const) expect(project(depthOf(plan), RICH)).toEqual(RICH);
});

test('fields without a value are left out, empty objects and lists too', () => {
  const report = { ...RICH, model: '', possibleBodyStyles: [], specs: { engine: '' }, technicalSpecs: {} };
  const { model: _model, possibleBodyStyles: _styles, specs: _specs, technicalSpecs: _technical, ...rest } = RICH;
  expect(project('full', report)).toEqual(rest);
});

test('premiumFieldsAvailable counts the values beyond the basic nine, and no part of the VIN itself', () => {
  expect(metadataFor('free', SEGMENTS_ONLY).premiumFieldsAvailable).toBe(0);
  // trim, possibleBodyStyles, engine, powerKw, lengthMm
  expect(metadataFor('free', RICH).premiumFieldsAvailable).toBe(5);
  expect(metadataFor('business', RICH).premiumFieldsAvailable).toBe(5);
});

test('every plan but the highest can be upgraded', () => {
  expect(PLANS.map((plan) => metadataFor(plan, RICH).upgradeAvailable)).toEqual([true, true, true, false]);
});

test('a basic answer never contains a value that is not in the full one', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(RICH)), fc.string()), (fields) => {
      const report = { ...SEGMENTS_ONLY, ...fields };
      expect(project('full', report)).toMatchObject(project('basic', report));
    }),
  );
});
