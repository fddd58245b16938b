import { openCatalog, readVin, type VehicleReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { labeledSets } from '../../labels/sets.ts';
import { readLabeled } from '../../labels/labeled.ts';
import { catalogFile } from '../../root.ts';
import { loadSpecs } from '../../specs/load.ts';
import { lintReport, mistakenKinds, outsideGeneration, variants } from './lint.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

const reports: readonly VehicleReport[] = labeledSets()
  .flatMap(readLabeled)
  .flatMap(({ vin }) => {
    const form = readVin(vin);
    return form.kind === 'vin' ? [decoder.decode(form.vin)] : [];
  });

test('the report of every labeled car passes the lint', () => {
  expect(reports.length).toBeGreaterThan(10_000);
  expect(reports.flatMap(lintReport)).toEqual([]);
});

test('no labeled car is of a year in which its generation was not built', () => {
  const generations = loadSpecs().sources.flatMap(({ id, rows }) => (id.startsWith('generations') ? rows : []));
  expect(outsideGeneration(reports, generations)).toEqual([]);
});

test('no van or SUV of open body is called a passenger car', () => {
  expect(mistakenKinds(reports)).toEqual([]);
});

test('no two values of a field differ only in case, blanks, hyphens or order', () => {
  expect(variants(reports)).toEqual([]);
});

const { plant: _plant, ...RIGHT }: VehicleReport = decoder.decode('1HGCM82633A004352');
const { model: _model, trim: _trim, ...UNNAMED } = RIGHT;

test.each<[string, Partial<VehicleReport>]>([
  ['several trims', { trim: 'L/LE/SE' }],
  ['a note in a trim', { trim: 'LT (1LT)' }],
  ['a works number before a name', { model: '2170 Priora' }],
  ['a word twice', { model: 'Golf Golf' }],
  ['capitals', { trim: 'TOURING' }],
  ['a rank for a trim', { trim: 'Middle level' }],
  ['a number before a trim', { trim: '20 Premium' }],
  ['a bare number for a trim', { trim: '350' }],
  ['a trim that the table of trims writes otherwise', { manufacturer: 'Dodge', trim: 'Crossword' }],
  ['the end of the model in the trim', { model: 'Escalade ESV', trim: 'ESV Luxury' }],
  ['another body in the trim', { trim: 'EX Sedan' }],
  ['all wheels in the trim of a car that drives two', { trim: '330xi', specs: { driveType: 'Rear-wheel drive' } }],
  [
    'the badge of another engine',
    {
      manufacturer: 'Mercedes-Benz',
      modelYear: '2004',
      trim: 'C 240',
      specs: { engine: '3.2 L V6, gasoline', fuelType: 'Gasoline', displacementCc: 3200 },
    },
  ],
  ["Subaru's cylinders in line", { manufacturer: 'Subaru', specs: { engine: '3.6 L I6, gasoline, 191 kW' } }],
  ['a V6 of Toyota in line', { specs: { engine: '3.3 L I6 (3MZ-FE), gasoline, 164 kW' } }],
  ['six small cylinders', { modelYear: '2020', specs: { engine: '2.0 L 6-cylinder, hybrid' } }],
  ['a layout of the seventies', { specs: { engine: '2.2 L V4 (LE8), flex fuel, 116 kW' } }],
  ['a power that the size does not make', { specs: { powerKw: 20, displacementCc: 3000 } }],
  ['a wheelbase longer than the car', { technicalSpecs: { lengthMm: 4000, wheelbaseMm: 4100 } }],
  ['a plug that the fuel does not tell', { trim: 'SE PHEV', specs: { fuelType: 'Hybrid' } }],
  ['a badge as a model code', { modelCode: 'AMG GLE43' }],
  ['a generation twice', { modelCode: 'KF', generation: 'KF' }],
  ['a name that the fuel does not tell', { trim: 'SE Hybrid', specs: { fuelType: 'Gasoline' } }],
  ['a mild hybrid', { manufacturer: 'Volvo', modelYear: '2023', specs: { fuelType: 'Hybrid' } }],
  ["NHTSA's word for a vehicle", { vehicleType: 'Multipurpose passenger vehicle' }],
  ['a van that is a passenger car', { vehicleType: 'Passenger car', bodyStyleNormalized: 'van' }],
  ['a minivan that is no passenger car', { vehicleType: 'Van', bodyStyleNormalized: 'van', bodyStyle: 'Minivan' }],
  ['driven wheels for a trim', { trim: 'FWD' }],
  ['a body for a trim', { trim: 'Variant' }],
  ['driven wheels before a trim', { trim: 'sDrive Competition' }],
  ['driven wheels behind a trim', { trim: 'SEL FWD' }],
  ['a length for a trim', { trim: 'Extra long' }],
  ['the axles of a truck for a trim', { trim: '18 t 4x2 low' }],
  ['driven wheels in an engine', { specs: { engine: '2.4 D4 AWD, diesel' } }],
  ['a note in an engine', { specs: { engine: '2.2 CRDi (assumed)' } }],
  ['a power for an engine', { specs: { engine: '145 kW' } }],
  ['an electric car with a belt', { specs: { fuelType: 'Electric', transmission: 'Automatic, CVT' } }],
  ['a misspelt plant', { plant: 'Smyma, United States', specs: { plantCity: 'Smyma', plantCountry: 'United States' } }],
  ['a plant abroad', { wmi: '2T2', specs: { plantCountry: 'Japan' } }],
])('%s is found', (_, wrong) => {
  expect(lintReport(RIGHT)).toEqual([]);
  expect(lintReport({ ...RIGHT, ...wrong })).toHaveLength(1);
});

test('a generation of no model is found', () => {
  expect(lintReport({ ...UNNAMED, generation: 'NF' })).toHaveLength(1);
});

test('values that differ in case or order, and years outside a generation, are found', () => {
  const pair = [
    { ...RIGHT, model: 'Golf / Jetta' },
    { ...RIGHT, model: 'Jetta / Golf' },
  ];
  expect(variants(pair)).toEqual(['Golf / Jetta, Jetta / Golf']);
  const life = { make: 'Honda', model: 'Accord', generation: 'VII', from: 2003, to: 2007 };
  const accord = { ...RIGHT, model: 'Accord', generation: 'VII' };
  expect(outsideGeneration([{ ...accord, modelYear: '2006' }], [life])).toEqual([]);
  expect(outsideGeneration([{ ...accord, modelYear: '2015' }], [life])).toHaveLength(1);
});

test('a passenger car of a model that is otherwise an SUV is found', () => {
  const suv = { ...RIGHT, model: 'CR-V', vehicleType: 'SUV', bodyStyleNormalized: 'suv' as const };
  const open = { ...RIGHT, model: 'CR-V', vehicleType: 'Passenger car', bodyStyleNormalized: 'unknown' as const };
  expect(mistakenKinds([suv, suv, suv, suv, suv, open])).toHaveLength(1);
  expect(mistakenKinds([suv, suv, suv, suv, { ...suv, bodyStyleNormalized: 'wagon' }, open])).toEqual([]);
  expect(mistakenKinds([suv, open])).toEqual([]);
});
