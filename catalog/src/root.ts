import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of this workspace: from the sources and from the build alike. */
export const CATALOG_ROOT = rootOf(dirname(fileURLToPath(import.meta.url)));

/** The reviewed facts. MARQUE_FACTS names another folder of them, for comparing two states. */
export const FACTS_ROOT = process.env['MARQUE_FACTS'] ?? join(CATALOG_ROOT, 'facts');

/** Returns a path among the facts. */
export function facts(path: string): URL {
  return pathToFileURL(join(FACTS_ROOT, path));
}

/** The folder of the compiler's output. */
export const BUILD_FOLDER = join(CATALOG_ROOT, 'build');

/** Returns the path of the built catalog. */
export function catalogFile(): string {
  return join(BUILD_FOLDER, 'marque.catalog');
}

/** The folder of the whole project. */
export const PROJECT_ROOT = dirname(CATALOG_ROOT);

/** The catalog as the library's package brings it. */
export const PACKED_CATALOG = join(PROJECT_ROOT, 'decoder', 'catalog', 'marque.catalog.gz');

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootOf(dirname(folder));
}
