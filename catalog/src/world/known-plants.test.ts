import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { csvRecords } from '../csv.ts';
import { CATALOG_ROOT } from '../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test('models are built where the known works built them', () => {
  const known = csvRecords(
    readFileSync(join(CATALOG_ROOT, 'fixtures', 'known-plants.csv'), 'utf8'),
    'known-plants.csv',
  );
  expect(known.length).toBeGreaterThan(150);
  const wrong = known.flatMap(({ vin = '', plant_city: city, plant_country: country }) => {
    const { specs } = decoder.decode(vin);
    const isRight = specs?.plantCity === city && specs?.plantCountry === country;
    return isRight ? [] : [`${vin}: ${specs?.plantCity}, ${specs?.plantCountry} instead of ${city}, ${country}`];
  });
  expect(wrong).toEqual([]);
});
