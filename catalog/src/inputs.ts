import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npmPackageFile } from '../sources/vpic/npm-package-file.ts';
import { BUILD_FOLDER, CATALOG_ROOT, catalogFile, FACTS_ROOT, PACKED_CATALOG, PROJECT_ROOT } from './root.ts';

// Every start of a clone asks whether its catalog is current: nothing here loads the compiler.

/** Begins the note of a catalog whose vPIC tables were imported. */
const IMPORTED = 'imported ';

/** The folders of the compiler, by name. */
const CODE = [
  ['src', join(CATALOG_ROOT, 'src')],
  ['sources', join(CATALOG_ROOT, 'sources')],
  ['decoder', join(PROJECT_ROOT, 'decoder', 'src')],
] as const;

/** Returns the folder of an operator's imported registers, kept for this build and later ones. */
export function importsFolder(): string {
  return join(BUILD_FOLDER, 'imports');
}

/** Returns the hash of the catalog's inputs: facts, vPIC's tables, and the compiler itself. */
export function inputHash(imports: string = importsFolder()): string {
  return hashOf([...CODE, ['facts', FACTS_ROOT], ['imports', imports]]);
}

/**
 * Returns the hash of the inputs of the packaged vPIC tables: the tables, the facts beside them, and the compiler
 * itself.
 */
export function vpicHash(): string {
  return hashOf([...CODE, ['vpic', join(FACTS_ROOT, 'vpic')], ['values', join(FACTS_ROOT, 'values')]]);
}

/** Returns the hash of the inputs of the names of families: the facts, and the compiler itself. */
export function familiesHash(): string {
  return hashOf([...CODE, ['facts', FACTS_ROOT]]);
}

function hashOf(folders: readonly (readonly [name: string, folder: string])[]): string {
  const hash = createHash('sha256');
  for (const [name, folder] of folders) {
    for (const file of filesIn(folder)) {
      const path = name + file.slice(folder.length);
      hash.update(path).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  // The package is pinned by the lock file; its size and name identify its 24 MB.
  const file = npmPackageFile();
  return hash.update(file === undefined ? 'compiled' : String(statSync(file).size)).digest('hex');
}

/** Notes the inputs of the built catalog, so that it is built again only when they changed. */
export function noteInputs(hash: string, origin: 'built' | 'imported'): void {
  writeFileSync(`${catalogFile()}.inputs`, origin === 'built' ? hash : `${IMPORTED}${hash}`);
}

/** Returns the hash of the present inputs, and whether the built catalog was made from them, or from an import. */
export function catalogState(): { hash: string; isCurrent: boolean; isImported: boolean } {
  const hash = inputHash();
  const file = `${catalogFile()}.inputs`;
  const note = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isCurrent = existsSync(catalogFile()) && (note === hash || note === IMPORTED + hash);
  return { hash, isCurrent, isImported: note.startsWith(IMPORTED) };
}

/** Returns true if the packages contain the built catalog as it is. */
export function isPacked(): boolean {
  return existsSync(PACKED_CATALOG) && statSync(PACKED_CATALOG).mtimeMs >= statSync(catalogFile()).mtimeMs;
}

/**
 * Files in the compiler's folders that are not part of it: tests, their helpers, documents, and the reader of people's
 * tables.
 */
const OTHERS = /\.test\.|\.md$|\/testing\/|\/src\/tables\//;

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !OTHERS.test(file))
    .toSorted();
}
