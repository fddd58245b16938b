import { expect, test } from 'vitest';

import { interpret } from './interpret.ts';
import { loadWorld } from './load.ts';
import { compiledFacts } from './testing/compiled-facts.ts';
import { factsFolder } from './testing/facts-folder.ts';

const YEAR = 2026;

const HEADER =
  'positions,code,from,to,serial_from,serial_to,with_generation,make,model,generation,body,fuel,cc,confidence,source';

/** Interprets a VIN by rows, and expects the decoder to read the same from the compiled rows. */
function decode(vin: string, rows: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const layouts = loadWorld(factsFolder([HEADER, ...rows, ''].join('\n'), files));
  const interpreted = interpret(layouts, vin, YEAR + 1);
  const compiled = compiledFacts(layouts, [], YEAR)(vin);
  expect(compiled?.layout).toBe(interpreted?.layout.id);
  expect(compiled?.outputs).toEqual(interpreted?.outputs);
  expect(compiled?.possibleBodies.toSorted()).toEqual(interpreted?.possibleBodies.toSorted());
  return interpreted;
}

const NO_YEAR =
  'about: x\nlayouts:\n  - {name: row, about: x, make: Acme, wmis: [ZZA], year: none, check_digit: none, tables: [models.csv]}\n';

test('more fixed positions beat fewer', () => {
  const rows = ['4-5,AB,,,,,,,Rocket,,,,,A,BOOK', '4-6,ABC,,,,,,,Rocket Plus,,,,,B,BOOK'];
  expect(decode('ZZAABC00041000001', rows)?.outputs.model).toBe('Rocket Plus');
  expect(decode('ZZAABD00041000001', rows)?.outputs.model).toBe('Rocket');
});

test('among equals a window that contains the year beats one beside it, then confidence decides', () => {
  const rows = ['4-5,AB,1998,2003,,,,,Rocket,I,,,,A,BOOK', '4-5,AB,2004,2010,,,,,Rocket,II,,,,B,BOOK'];
  expect(decode('ZZAABC00041000001', rows)?.outputs).toMatchObject({
    model: 'Rocket',
    generation: 'II',
    modelYear: 2004,
  });
  expect(decode('ZZAABC00031000001', rows)?.outputs).toMatchObject({ generation: 'I', modelYear: 2003 });
});

test('two models under one code are both left out, and their common values are answered', () => {
  const rows = ['4-5,AB,,,,,,,Rocket,,sedan,Diesel,,B,BOOK', '4-5,AB,,,,,,,Anvil,,wagon,Diesel,,B,BOOK'];
  const decoded = decode('ZZAABC00041000001', rows);
  expect(decoded?.outputs).toMatchObject({ make: 'Acme', fuelType: 'Diesel' });
  expect(decoded?.outputs).not.toHaveProperty('model');
  expect(decoded?.outputs).not.toHaveProperty('body');
  expect(decoded?.possibleBodies).toEqual(['sedan', 'wagon']);
});

test('a row about another model does not decide the body', () => {
  const rows = ['4-6,ABC,,,,,,,Rocket,,,,,B,BOOK', '4-5,AB,,,,,,,Anvil,,wagon,,,B,BOOK'];
  expect(decode('ZZAABC00041000001', rows)?.outputs).toEqual({ make: 'Acme', model: 'Rocket', modelYear: 2004 });
});

test('the years of the model choose between the two meanings of a year letter', () => {
  const rows = ['4-5,AB,1990,1999,,,,,Rocket,,,,,B,BOOK', '4-5,CD,2012,2020,,,,,Anvil,,,,,B,BOOK'];
  expect(decode('ZZAAB0000F1000001', rows)?.outputs.modelYear).toBeUndefined();
  expect(decode('ZZAAB0000S1000001', rows)?.outputs.modelYear).toBe(1995);
  expect(decode('ZZACD0000F1000001', rows)?.outputs.modelYear).toBe(2015);
});

test('no year is answered that is far from those of every model with the code', () => {
  const rows = ['4-5,AB,2017,2025,,,,,Rocket,,,,,A,BOOK'];
  expect(decode('ZZAABC000H1000001', rows)?.outputs).toMatchObject({ model: 'Rocket', modelYear: 2017 });
  expect(decode('ZZAABC00081000001', rows)?.outputs).toMatchObject({ make: 'Acme', modelYear: 2008 });
  expect(decode('ZZAABC00011000001', rows)?.outputs).toMatchObject({ make: 'Acme' });
  expect(decode('ZZAABC00011000001', rows)?.outputs).not.toHaveProperty('modelYear');
});

test('a row with a model year beats the year character', () => {
  const header = 'positions,code,from,to,model,model_year,confidence,source';
  const rows = ['4-5,AB,1998,2010,Rocket,,B,BOOK', '10-11,4C,2004,2004,,2005,B,BOOK'];
  const year = (vin: string) => interpret(loadWorld(factsFolder([header, ...rows, ''].join('\n'))), vin)?.outputs;
  expect(year('ZZAAB00004B000001')).toMatchObject({ model: 'Rocket', modelYear: 2004 });
  expect(year('ZZAAB00004C000001')).toMatchObject({ model: 'Rocket', modelYear: 2005 });
});

test('without a year in the VIN the common years of the rows are the production window, and a year when a row is about it', () => {
  const rows = [
    '4-5,AB,2000,2008,,,,,Rocket,,,,,B,BOOK',
    '7,X,2006,2009,,,,,,,,Diesel,,B,BOOK',
    '7,Y,2008,2008,,,,,,,,Gasoline,,B,BOOK',
  ];
  const wide = decode('ZZAABCX0041000001', rows, { 'acme/layouts.yaml': NO_YEAR });
  expect(wide?.production).toEqual([2006, 2008]);
  expect(wide?.outputs.modelYear).toBeUndefined();
  expect(decode('ZZAABCY0041000001', rows, { 'acme/layouts.yaml': NO_YEAR })?.outputs.modelYear).toBe(2008);
});

test('a serial range applies inside its bounds, and only to the series that it names', () => {
  const rows = [
    '4-5,AB,2000,2008,,,,,Rocket,I,,,,B,BOOK',
    '4-5,CD,2000,2008,,,,,Rocket,II,,,,B,BOOK',
    '12,1,2003,2004,00000,04999,I,,,,,,,B,BOOK',
  ];
  const window = (vin: string) => decode(vin, rows, { 'acme/layouts.yaml': NO_YEAR })?.production;
  expect(window('ZZAAB000000104999')).toEqual([2003, 2004]);
  expect(window('ZZAAB000000105000')).toEqual([2000, 2008]);
  expect(window('ZZACD000000104999')).toEqual([2000, 2008]);
});

test('a plant answers in the years of the vehicle and never determines them', () => {
  const header = 'positions,code,from,to,model,plant_city,plant_country,confidence,source';
  const rows = [
    '4-5,AB,2013,2016,Rocket,,,B,BOOK',
    '11,A,1970,1999,,Strelsau,Ruritania,B,BOOK',
    '11,B,2000,2013,,Zenda,Ruritania,B,BOOK',
  ];
  const read = (vin: string) =>
    interpret(loadWorld(factsFolder([header, ...rows, ''].join('\n'), { 'acme/layouts.yaml': NO_YEAR })), vin)?.outputs;
  expect(read('ZZAAB00000A000001')).toEqual({ make: 'Acme', model: 'Rocket' });
  expect(read('ZZAAB00000B000001')).toEqual({
    make: 'Acme',
    model: 'Rocket',
    plantCity: 'Zenda',
    plantCountry: 'Ruritania',
  });
});

test('for a WMI that several makes share, the layout gives the make only with a model', () => {
  const world = loadWorld(factsFolder(`${HEADER}\n4-5,AB,,,,,,,Rocket,,,,,A,BOOK\n`));
  const shared = new Set(['ZZA']);
  expect(interpret(world, 'ZZAABC00041000001', 2027, shared)?.outputs.make).toBe('Acme');
  expect(interpret(world, 'ZZAXYC00041000001', 2027, shared)?.outputs.make).toBeUndefined();
  expect(interpret(world, 'ZZAXYC00041000001')?.outputs.make).toBe('Acme');
});

test('the layout with the most specific discriminator applies', () => {
  const layouts = `about: x
layouts:
  - {name: any, about: x, make: Acme, wmis: [ZZA], year: none, check_digit: none, tables: [models.csv]}
  - {name: zeros, about: x, make: Bolt, wmis: [ZZA], when: ['...000'], year: none, check_digit: none, tables: [models.csv]}
`;
  const rows = ['7,X,,,,,,,Rocket,,,,,B,BOOK'];
  expect(decode('ZZA000X0041000001', rows, { 'acme/layouts.yaml': layouts })?.outputs.make).toBe('Bolt');
  expect(decode('ZZA001X0041000001', rows, { 'acme/layouts.yaml': layouts })?.outputs.make).toBe('Acme');
});

test('the make of the winning model beats that of the layout', () => {
  const rows = ['4-5,AB,,,,,,Bolt,Rocket,,,,,B,BOOK'];
  expect(decode('ZZAAB000041000001', rows)?.outputs.make).toBe('Bolt');
});

test('a VIN without a known layout has no interpretation', () => {
  expect(decode('ZZBAB000041000001', ['4-5,AB,,,,,,,Rocket,,,,,B,BOOK'])).toBeUndefined();
});
