import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT, catalogFile } from '@marque/catalog/paths';
import { type Decoder, openCatalog, readSharedCatalog } from '@marque/decoder';

import type { Config } from '../kernel/config/config.ts';
import { OperatorError } from '../kernel/operator-error.ts';

/** The catalog cannot be opened. The message gives the reason and the remedy, for a person at a terminal. */
class CatalogError extends OperatorError {
  override name = 'CatalogError';
}

/** Returns the path of the configured catalog, or of the one that was built. */
export function configuredCatalogFile(config: Pick<Config, 'catalogFile'>): string {
  return config.catalogFile ?? catalogFile();
}

/**
 * Returns the path of the file that a new catalog replaces: where CATALOG_FILE is a link, the file that it leads to.
 *
 * @throws CatalogError when there is something else.
 */
export function replacedCatalogFile(config: Pick<Config, 'catalogFile'>): string {
  const file = configuredCatalogFile(config);
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return file;
    if (found.isFile()) return realpathSync(file);
  } catch (cause) {
    throw new CatalogError(`${file} cannot be replaced: ${messageOf(cause)}. See CATALOG_FILE.`, { cause });
  }
  throw new CatalogError(`${file} is not a file. Set CATALOG_FILE to the path of a catalog.`);
}

/**
 * Opens the configured catalog.
 *
 * @throws CatalogError when it is missing or invalid.
 */
export function openConfiguredCatalog(config: Pick<Config, 'catalogFile'>): Decoder {
  return openSharedCatalog(config).decoder;
}

/** An opened catalog, and its bytes in shared memory: threads open them without a copy. */
export interface SharedCatalog {
  bytes: Uint8Array;
  decoder: Decoder;
}

/**
 * Opens the configured catalog in memory that threads can share.
 *
 * @throws CatalogError when it is missing or invalid.
 */
export function openSharedCatalog(config: Pick<Config, 'catalogFile'>): SharedCatalog {
  const file = configuredCatalogFile(config);
  if (!existsSync(file)) {
    const advice = config.catalogFile === undefined ? 'Build it with: marque catalog build' : 'See CATALOG_FILE.';
    throw new CatalogError(`There is no catalog at ${file}. ${advice}`);
  }
  try {
    const bytes = readSharedCatalog(file);
    return { bytes, decoder: openCatalog(bytes, { verify: true }) };
  } catch (cause) {
    throw new CatalogError(`${file} cannot be opened as a catalog: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Returns the time at which the configured catalog was compiled; undefined: it is missing, or was unpacked from a
 * package.
 */
export function compiledAt(config: Pick<Config, 'catalogFile'>): number | undefined {
  const mtimeMs = statSync(configuredCatalogFile(config), { throwIfNoEntry: false })?.mtimeMs;
  return mtimeMs === undefined || mtimeMs < NO_PACKAGE_BEFORE_MS ? undefined : mtimeMs;
}

/** npm gives every file of a package one date of 1985. */
const NO_PACKAGE_BEFORE_MS = Date.UTC(2000, 0);

/** Returns the folder of the labeled VINs in the catalog's package; undefined: it has none. */
export function labeledFolder(): string | undefined {
  const folder = join(CATALOG_ROOT, 'facts', 'labelled');
  return existsSync(folder) ? folder : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
