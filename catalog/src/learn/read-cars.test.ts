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

async function carsIn(path: string, names?: ColumnNames): Promise<unknown[]> {
  const cars = [];
  for await (const car of readCars(path, names)) cars.push(car);
  return cars;
}

test('columns with usual names are understood, and others by the names given', async () => {
  const path = file('cars.csv', 'VIN,Marke,Model,year,cc\nZZARA1SA01W000001,Acme,Rocket,2001,1598\n');
  expect(await carsIn(path, { make: 'marke' })).toEqual([
    {
      vin: 'ZZARA1SA01W000001',
      expected: { manufacturer: 'Acme', model: 'Rocket', modelYear: '2001', displacementCc: 1598 },
      yearBasis: 'production-or-first-registration',
    },
  ]);
});

test('a file without VINs, or without a column that was named, says so', async () => {
  const path = file('cars.csv', 'number,make\n1,Acme\n');
  await expect(carsIn(path)).rejects.toThrow('has no column "vin"');
  await expect(carsIn(path, { vin: 'chassis' })).rejects.toThrow('has no column "chassis"');
});

test('a line of JSON that is no labelled car is named', async () => {
  const path = file('cars.jsonl', '{"vin":"ZZARA1SA01W000001","expected":{}}\n\n{"vin":5}\n');
  await expect(carsIn(path)).rejects.toThrow('cars.jsonl:3');
});
