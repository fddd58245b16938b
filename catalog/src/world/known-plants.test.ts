import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { csvRecords } from '../csv.ts';
import { CATALOG_ROOT } from '../root.ts';
import { readWorld } from './load.ts';

/** The characters of position 10. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';

const KNOWN = 'known-plants.csv';
const known = csvRecords(readFileSync(join(CATALOG_ROOT, 'fixtures', KNOWN), 'utf8'), KNOWN);
const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test('models are built where the known works built them', () => {
  expect(known.length).toBeGreaterThan(200);
  const wrong = known.flatMap(({ vin = '', plant_city: city, plant_country: country }) => {
    const { specs } = decoder.decode(vin);
    const isRight = specs?.plantCity === city && specs?.plantCountry === country;
    return isRight ? [] : [`${vin}: ${specs?.plantCity}, ${specs?.plantCountry} instead of ${city}, ${country}`];
  });
  expect(wrong).toEqual([]);
});

test('no works answers for a vehicle that was built before it opened or after it closed', () => {
  const rows = [...readWorld().tables.values()].flat().filter(({ row }) => row.plant_city !== undefined);
  const works = Map.groupBy(rows, ({ row }) => row.plant_city ?? '');
  const wrong = new Set<string>();
  for (const { vin = '' } of known) {
    for (const code of YEAR_CODES) {
      const { modelYear, specs } = decoder.decode(`${vin.slice(0, 9)}${code}${vin.slice(10)}`);
      const spans = works.get(specs?.plantCity ?? '');
      if (modelYear === undefined || spans === undefined) continue;
      const year = Number(modelYear);
      // A model year starts in the autumn before, and cars are registered in the year after.
      const isOpen = spans.some(({ row: { from = 0, to = 9999 } }) => from - 1 <= year && year <= to + 1);
      if (!isOpen) wrong.add(`${vin.slice(0, 3)} from ${specs?.plantCity} of ${year}`);
    }
  }
  expect([...wrong]).toEqual([]);
});
