import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { catalogFile } from '@marque/catalog/paths';
import { afterAll, expect, test } from 'vitest';

import { openConfiguredCatalog } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'marque-catalog-'));
const copy = join(folder, 'marque.catalog');

afterAll(() => rmSync(folder, { recursive: true }));

test('a copy of the catalog opens, and one in which a single bit was changed is refused by its hash', () => {
  copyFileSync(catalogFile(), copy);
  expect(openConfiguredCatalog({ catalogFile: copy }).decode('1HGCM82633A004352').manufacturer).toBe('Honda');
  const bytes = readFileSync(copy);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(copy, bytes);
  expect(() => openConfiguredCatalog({ catalogFile: copy })).toThrow(/do not have the hash that it was built with/);
});
