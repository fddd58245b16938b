import { checkDigitOf, type VehicleReport } from '@marque/decoder';
import { ELEMENT } from '@marque/decoder/format';
import { describe, expect, test } from 'vitest';

import { type SmallRow, smallVpic } from './testing/small-vpic.ts';
import { worldCatalog } from './testing/world-catalog.ts';
import { loadWorld } from './world/load.ts';
import { factsFolder } from './world/testing/facts-folder.ts';

const NOW = { now: () => Date.UTC(2026, 10, 1) };

/** Positions 4 to 8, then 10 on: the rows of a made-up maker. Position 7 is a letter from 2010 on. */
const model = (key: string, value: string, schema = 1): SmallRow => ({ key, element: ELEMENT.model, value, schema });
const cylinders = (key: string, value: string): SmallRow => ({ key, element: ELEMENT.cylinders, value });

type Years = readonly (readonly [number, number | null])[];

/** Decodes a VIN with the right check digit under a vPIC of these rows. */
function decode(vds: string, yearCode: string, rows: readonly SmallRow[], years?: Years): VehicleReport {
  const vpic = smallVpic({ wmi: '1ZZ', make: 'ACME', rows, ...(years === undefined ? {} : { years }) });
  const vin = `1ZZ${vds}0${yearCode}A123456`;
  return worldCatalog([], vpic, NOW).decode(vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9));
}

test('a row holds where the VIN has the characters of its key, and nowhere else', () => {
  const rows = [model('AB', 'Rocket'), model('CD', 'Anvil')];
  expect(decode('ABAAA', 'K', rows).model).toBe('Rocket');
  expect(decode('CDAAA', 'K', rows).model).toBe('Anvil');
  expect(decode('EFAAA', 'K', rows).model).toBeUndefined();
});

test('a key names sets and ranges of characters, any character, and positions behind the check digit', () => {
  const rows = [model('A*[1-3]', 'Rocket'), model('B****|*A', 'Anvil'), model('B****|*B', 'Hammer')];
  expect(decode('AX2AA', 'K', rows).model).toBe('Rocket');
  expect(decode('AX4AA', 'K', rows).model).toBeUndefined();
  expect(decode('BXXAA', 'K', rows).model).toBe('Anvil');
});

test('of two rows the one that was changed last counts, and of two as new the one with the shorter key', () => {
  const [short, long] = [model('A', 'Rocket'), model('AB', 'Anvil')];
  expect(decode('ABAAA', 'K', [short, { ...long, changed: 1 }]).model).toBe('Anvil');
  expect(decode('ABAAA', 'K', [{ ...short, changed: 1 }, long]).model).toBe('Rocket');
  expect(decode('ABAAA', 'K', [long, short]).model).toBe('Rocket');
  expect(decode('ACAAA', 'K', [long, short]).model).toBe('Rocket');
});

test('a schema counts in the model years of its WMI only', () => {
  const rows = [model('AB', 'Rocket', 1), model('AB', 'Anvil', 2)];
  const years: Years = [
    [2010, 2014],
    [2015, null],
  ];
  expect(decode('ABAAA', 'E', rows, years)).toMatchObject({ modelYear: '2014', model: 'Rocket' });
  expect(decode('ABAAA', 'F', rows, years)).toMatchObject({ modelYear: '2015', model: 'Anvil' });
});

test('position 7 of a car decides the 30 years of position 10: a digit the first, a letter the second', () => {
  const rows = [model('AB', 'Rocket')];
  expect(decode('ABA1A', 'K', rows).modelYear).toBe('1989');
  expect(decode('ABAAA', 'K', rows).modelYear).toBe('2019');
});

test('elements are decided one by one, each by its own best row', () => {
  const rows = [model('AB', 'Rocket'), cylinders('*B', '4'), cylinders('*C', '6')];
  expect(decode('ABAAA', 'K', rows)).toMatchObject({ model: 'Rocket', specs: { engine: '4-cylinder' } });
  const other = decode('XCAAA', 'K', rows);
  expect(other.model).toBeUndefined();
  expect(other.specs?.engine).toBe('6-cylinder');
});

test('the make is that of the model, and of the WMI where no model is known', () => {
  const rows = [model('AB', 'Rocket')];
  expect(decode('ABAAA', 'K', rows).manufacturer).toBe('Acme');
  expect(decode('XXAAA', 'K', rows).manufacturer).toBe('Acme');
});

test('a schema without a last year is trusted for ten years where its maker may have left North America, and that of a trailer for good', () => {
  const rows = [model('AB', 'Rocket', 1), model('CD', 'Anvil', 2)];
  const read = (wmi: string, vds: string, yearCode: string, to: number | null, vehicleType = 2): VehicleReport => {
    const years: Years = [
      [2010, to],
      [1981, 1982],
    ];
    const vin = `${wmi}${vds}0${yearCode}A123456`;
    const catalog = worldCatalog([], smallVpic({ wmi, make: 'ACME', vehicleType, rows, years }), NOW);
    return catalog.decode(vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9));
  };
  expect(read('VZZ', 'ABAAA', 'L', null).model).toBe('Rocket');
  expect(read('VZZ', 'ABAAA', 'M', null)).toMatchObject({ manufacturer: 'Acme' });
  expect(read('VZZ', 'ABAAA', 'M', null).model).toBeUndefined();
  expect(read('VZZ', 'ABAAA', 'M', 2021).model).toBe('Rocket');
  expect(read('1ZZ', 'ABAAA', 'M', null).model).toBe('Rocket');
  expect(read('VZZ', 'ABAAA', 'M', null, 6).model).toBe('Rocket');
});

describe('a WMI of Japan that several makes share, with another digit than the check digit', () => {
  const rows = [model('AB', 'Rocket')];
  const catalog = worldCatalog([], smallVpic({ wmi: 'JZZ', make: 'ACME', rows, years: [[2016, null]] }), NOW);
  const right = 'JZZABAAA0KA123456'.replace(/(?<=^.{8})./, checkDigitOf('JZZABAAA0KA123456'));
  const withNinth = (character: string): string => right.slice(0, 8) + character + right.slice(9);

  test('is read where NHTSA has its characters, and explained', () => {
    const wrong = withNinth(right.charAt(8) === '3' ? '4' : '3');
    expect(catalog.decode(wrong)).toMatchObject({ manufacturer: 'Acme', model: 'Rocket', modelYear: '2019' });
    const make = catalog.explain(wrong).fields.find(({ field }) => field === 'manufacturer');
    expect(make?.note).toContain(`where the check digit is ${right.charAt(8)}`);
    expect(catalog.decode(withNinth('B')).model).toBeUndefined();
    expect(catalog.decode(wrong).model).toBe('Rocket');
  });

  test('is still taken for a mistyped one', () => {
    const swapped = right.slice(0, 15) + right.charAt(16) + right.charAt(15);
    expect(catalog.suggest(swapped).map(({ vin }) => vin)).toContain(right);
  });
});

test("a layout names the model where NHTSA's is a class of models, and replaces no other", () => {
  const yaml = `about: x
layouts:
  - {name: row, about: x, make: Acme, wmis: [1ZZ], year: position-10, check_digit: none, tables: [models.csv]}
`;
  const table = `positions,code,model,confidence,source
4-5,SX,Rocket,B,BOOK
4-5,AB,Anvil,B,BOOK
`;
  const rows = [model('SX', 'Closed Course Competition'), model('AB', 'Hammer')];
  const vpic = smallVpic({ wmi: '1ZZ', make: 'ACME', rows });
  const catalog = worldCatalog(loadWorld(factsFolder(table, { 'acme/layouts.yaml': yaml })), vpic, NOW);
  expect(catalog.decode('1ZZSXAAA0KA123456').model).toBe('Rocket');
  expect(catalog.decode('1ZZABAAA0KA123456').model).toBe('Hammer');
});
