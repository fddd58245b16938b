import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { Families } from './names.ts';
import { readVca } from './vca.ts';

const HEAD =
  'Manufacturer,Model,Description,Transmission,Engine Capacity,Fuel Type,Powertrain,Engine Power (Kw),Euro Standard';

test('a mild hybrid is listed with its fuel and its power, a full one as a hybrid without', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'vca-')), 'vca.csv');
  const cars = [
    'SUZUKI,Swift,SWIFT 1.2 DualJet HYBRID SZ-L,M5,1197,Petrol Electric,Hybrid Electric Vehicle (HEV),61,Euro 6d',
    'SUZUKI,Swift,1.0 SZ5,M5,998,Petrol Electric,Mild Hybrid Electric Vehicle (MHEV),82,Euro 6d',
    'SUZUKI,Swift,1.6 DDiS 48V,M6,1598,Diesel Electric,Hybrid Electric Vehicle (HEV),88,Euro 6d',
    'SUZUKI,Swift,1.5 Full Hybrid,A6,1462,Petrol Electric,Hybrid Electric Vehicle (HEV),75,Euro 6d',
  ];
  writeFileSync(file, [HEAD, ...cars].join('\n'));
  const families = new Families([{ make: 'Suzuki', model: 'Swift', badges: new Set() }], 'make,pattern,model\n');
  const rows = await readVca(file, families);
  expect(rows.map(({ fuel, powerKw, badge }) => [fuel, powerKw, badge?.startsWith('mHEV')])).toEqual([
    ['Gasoline', 61, true],
    ['Gasoline', 82, true],
    ['Diesel', 88, true],
    ['Hybrid', undefined, false],
  ]);
});
