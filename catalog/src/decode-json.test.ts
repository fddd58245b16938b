import { openCatalog, SQUISH_POSITIONS, type SharedReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { readLabeled } from './labels/labeled.ts';
import { CATALOG_ROOT, catalogFile } from './root.ts';

const file = catalogFile();
const vins = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin }) => vin);
/** Equal in all but the serial number: most of them are answered from the cache. */
const alike = vins.map((vin) => `${vin.slice(0, 14)}987`);

test('a report as JSON is the JSON of the report, whichever is asked for first', () => {
  const [asObjects, asJson, mixed] = [openCatalog(file), openCatalog(file), openCatalog(file)];
  for (const vin of [...vins, ...alike, ...vins]) {
    const expected = JSON.stringify(asObjects.decode(vin));
    expect(asJson.decodeToJson(vin)).toBe(expected);
    expect(mixed.decodeToJson(vin)).toBe(expected);
    expect(JSON.stringify(mixed.decode(vin))).toBe(expected);
    expect(mixed.shared(vin).jsonFor(vin)).toBe(expected);
    expect(JSON.stringify(asObjects.shared(vin).for(vin))).toBe(expected);
  }
});

test('VINs that share a report agree in the positions that are named for it', () => {
  const decoder = openCatalog(file);
  const keys = new Map<SharedReport, string>();
  const varied = vins.flatMap((vin) => Array.from(vin, (_, at) => `${vin.slice(0, at)}1${vin.slice(at + 1)}`));
  for (const vin of [...varied, ...varied]) {
    const key = SQUISH_POSITIONS.map((position) => vin.charAt(position)).join('');
    const report = decoder.shared(vin);
    expect(keys.get(report) ?? key).toBe(key);
    keys.set(report, key);
  }
  expect(keys.size).toBeLessThan(varied.length);
});
