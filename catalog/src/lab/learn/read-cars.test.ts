import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type ColumnNames, readCars } from './read-cars.ts';

function file(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'marque-cars-')), name);
  writeFileSync(path, text);
  return path;
}

function carsIn(path: string, names?: ColumnNames): unknown[] {
  return [...readCars(path, names)].map(({ car }) => car());
}

test('columns with usual names are understood, and others by the names given', () => {
  const path = file('cars.csv', 'VIN,Marke,Model,year,cc\nZZARA1SA01W000001,Acme,Rocket,2001,1598\n');
  expect(carsIn(path, { make: 'marke' })).toEqual([
    {
      vin: 'ZZARA1SA01W000001',
      expected: { manufacturer: 'Acme', model: 'Rocket', modelYear: '2001', displacementCc: 1598 },
      yearBasis: 'production-or-first-registration',
    },
  ]);
});

test('the column of VINs is found by the names that tables have in any language', () => {
  const path = file('cars.csv', 'make,Fahrgestellnummer\nAcme,ZZARA1SA01W000001\n');
  expect(carsIn(path)).toMatchObject([{ vin: 'ZZARA1SA01W000001', expected: { manufacturer: 'Acme' } }]);
  const other = file('cars.csv', 'make;VIN\nAcme;ZZARA1SA01W000001\n');
  expect(() => carsIn(other)).toThrow('separated by commas');
});

test('a file without VINs, or without a column that was named, is refused with the reason', () => {
  const path = file('cars.csv', 'number,make\n1,Acme\n');
  expect(() => carsIn(path)).toThrow('has no column "vin"');
  expect(() => carsIn(path, { vin: 'chassis' })).toThrow('has no column "chassis"');
});

test('a line of JSON that is not a labeled car is named', () => {
  const path = file('cars.jsonl', '{"vin":"ZZARA1SA01W000001","expected":{}}\n\n{"vin":5}\n');
  expect(() => carsIn(path)).toThrow('cars.jsonl:3');
});

test('quotes, line ends within them, a byte order mark and other line ends are read as spreadsheets write them', () => {
  const quoted = '"ZZARA1SA01W000001","Acme, ""Ltd""","Big\nRocket"';
  const path = file('cars.csv', `\uFEFFvin,make,model\r\n${quoted}\r\n\r\nZZARB1SA01W000002,Acmé,Anvil`);
  expect(carsIn(path)).toMatchObject([
    { vin: 'ZZARA1SA01W000001', expected: { manufacturer: 'Acme, "Ltd"', model: 'Big\nRocket' } },
    { vin: 'ZZARB1SA01W000002', expected: { manufacturer: 'Acmé', model: 'Anvil' } },
  ]);
});

test('a file of several megabytes is read whole', () => {
  const path = file('cars.csv', `vin,make,model\n${'ZZARA1SA01W000001,Acmé,Rocket\n'.repeat(100_000)}`);
  const cars = carsIn(path);
  expect(cars).toHaveLength(100_000);
  expect(new Set(cars.map((car) => JSON.stringify(car))).size).toBe(1);
});
