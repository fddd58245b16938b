import { openCatalog, readVin, type VehicleReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** The report of a made-up VIN. */
function decode(text: string): VehicleReport {
  const form = readVin(text);
  if (form.kind !== 'vin') throw new Error(`${text} is no VIN.`);
  return decoder.decode(form.vin);
}

test('a car of South America has the sizes and the driven wheels of its own generation', () => {
  const { specs, technicalSpecs, ...gol } = decode('9BWAB05U0DT000000');
  expect(gol).toMatchObject({ model: 'Gol', generation: 'G5' });
  expect(technicalSpecs).toMatchObject({ lengthMm: 3900, wheelbaseMm: 2470 });
  expect(specs?.driveType).toBe('Front-wheel drive');
});

test('a Turkish Honda is built as for Europe', () => {
  const civic = decode('NLAFD75408W000000');
  expect(civic).toMatchObject({ model: 'Civic', technicalSpecs: { lengthMm: 4545 } });
});
