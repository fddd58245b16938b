import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

import { openCatalog } from '@marque/decoder';

import { catalogFleet } from '../lab/learn/testing/catalog-fleet.ts';
import { catalogFile } from '../root.ts';
import { loadWorld } from '../world/load.ts';

const CARS = 1_000_000;
const WRONG_SHARE = 0.01;

/**
 * `node catalog/dist/src/testing/write-cars.js FILE.csv [CARS]`: writes labeled cars as the catalog knows them, of
 * which one in a hundred is labeled wrong, for trying `marque catalog learn FILE.csv`. The same each time.
 */
const [file, cars = String(CARS)] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node catalog/dist/src/testing/write-cars.js FILE.csv [CARS]');

const output = createWriteStream(file);
output.write('vin,make,model,year,body,fuel,cc\n');
const fleet = catalogFleet(loadWorld(), openCatalog(catalogFile()), { cars: Number(cars), wrongShare: WRONG_SHARE });
for (const { vin, expected } of fleet) {
  const { manufacturer, model, modelYear, bodyStyleNormalized, fuelType, displacementCc } = expected;
  const cells = [vin, manufacturer, model, modelYear, bodyStyleNormalized, fuelType, displacementCc];
  const line = cells.map((cell) => (/[",]/.test(String(cell)) ? `"${cell}"` : (cell ?? ''))).join(',');
  if (!output.write(`${line}\n`)) await once(output, 'drain');
}
output.end();
