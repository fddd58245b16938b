import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { readVpicTables } from '../../sources/vpic/read-npm-package.ts';
import { putInPlace } from '../put-in-place.ts';
import type { VpicTables } from '../vpic/tables.ts';

/**
 * Returns vPIC's tables in the npm package. To read them takes ten times as long as to read them again from a file, so
 * the first test file leaves one in the run's folder of temporary files.
 */
export function packagedTables(): VpicTables {
  const file = join(tmpdir(), 'vpic.tables');
  if (existsSync(file)) return deserialize(readFileSync(file)) as VpicTables;
  const database = openNpmPackage();
  const tables = readVpicTables(database);
  database.close();
  putInPlace(serialize(tables), file);
  return tables;
}
