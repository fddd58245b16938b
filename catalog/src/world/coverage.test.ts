import { expect, test } from 'vitest';

import { coverage } from './coverage.ts';
import { readWorld } from './load.ts';
import { factsFolder } from './testing/facts-folder.ts';

test('coverage counts labeled VINs and codes by how deep they decode', () => {
  const facts = readWorld(
    factsFolder(
      'positions,code,model,body,fuel,confidence,source\n4-5,AB,Rocket,sedan,,B,BOOK\n4-5,AC,Anvil,,,B,BOOK\n7,D,,,Diesel,B,BOOK\n',
    ),
  );
  const labels = ['ZZAAB0D0041000001', 'ZZAXX000041000001', 'KMHXX000041000001'].map((vin) => ({
    vin,
    expected: { manufacturer: vin.startsWith('K') ? 'Hyundai' : 'Acme' },
    yearBasis: 'model-year' as const,
  }));
  const { makes, regions } = coverage(facts, labels, (vin) => (vin.startsWith('K') ? 'Asia' : 'Europe'));
  expect(makes).toEqual([
    {
      name: 'Acme',
      vins: { total: 2, make: 2, model: 1, modelYear: 2, body: 1, fuelType: 1, displacementCc: 0 },
      codes: { total: 2, make: 2, model: 2, modelYear: 0, body: 1, fuelType: 0, displacementCc: 0 },
    },
    { name: 'Hyundai', vins: { total: 1, make: 0, model: 0, modelYear: 0, body: 0, fuelType: 0, displacementCc: 0 } },
  ]);
  expect(regions.map(({ name, vins }) => [name, vins.total])).toEqual([
    ['Asia', 1],
    ['Europe', 2],
  ]);
});
