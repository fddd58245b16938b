import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { CatalogFormatError, openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from './root.ts';

const MB = 1e6;

const bytes = readFileSync(catalogFile());

test('the catalog stays under 20 MB, and under 7 MB compressed', () => {
  expect(bytes.length).toBeLessThan(20 * MB);
  expect(gzipSync(bytes).length).toBeLessThan(7 * MB);
});

test.each([0, 4, 100, 5_000, bytes.length - 64])('a catalog cut after %d bytes is refused, not misread', (length) => {
  expect(() => openCatalog(bytes.subarray(0, length))).toThrow(CatalogFormatError);
});

const ofFormat = (version: number): Buffer =>
  Buffer.from(
    bytes.subarray(0, 200_000).toString('latin1').replace('"formatVersion":2', `"formatVersion":${version}`),
    'latin1',
  );

test('a file that is not a catalog or is newer than the decoder is refused, and an older one is read', () => {
  expect(() => openCatalog(Buffer.from('SQLite format 3'))).toThrow('not a Marque catalog');
  expect(() => openCatalog(ofFormat(3))).toThrow('this decoder reads formats up to 2');
  const older = openCatalog(Buffer.concat([ofFormat(1), bytes.subarray(200_000)]));
  expect(older.info.formatVersion).toBe(1);
  expect(older.decode('1HGCM82633A004352').model).toBe('Accord');
});

test('a catalog opens from bytes at any offset of a larger buffer', () => {
  const shifted = Buffer.concat([Buffer.from([0]), bytes]).subarray(1);
  expect(openCatalog(shifted).decode('1HGCM82633A004352').model).toBe('Accord');
});
