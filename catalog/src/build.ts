import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { npmPackageFile, openNpmPackage } from '../sources/vpic/npm-package.ts';
import { readVpicTables } from '../sources/vpic/read-npm-package.ts';
import { compileCatalog } from './compile/compile.ts';
import { approvalsFolder, listImports } from './import/imports.ts';
import { loadApprovals } from './approvals/load.ts';
import { CATALOG_ROOT, FACTS_ROOT, PROJECT_ROOT } from './root.ts';
import { loadSpecs, withImports } from './specs/load.ts';
import { readVpicFacts } from './vpic/facts.ts';
import type { VpicTables } from './vpic/tables.ts';
import { readRegions } from './wmi/regions.ts';
import { readWmis } from './wmi/wmis.ts';
import { loadWorld } from './world/load.ts';
import type { WorldProfile } from './world/model.ts';

const BUILD = join(CATALOG_ROOT, 'build');
/** Where tables of registers that an operator imported are kept, for this build and later ones. */
export function importsFolder(): string {
  return join(BUILD, 'imports');
}

/** Begins the note of a catalog whose vPIC tables were imported. */
const IMPORTED = 'imported ';

/** Where the built catalog stands. */
export function catalogFile(): string {
  return join(BUILD, 'marque.catalog');
}

/** Hash of everything that the catalog is made of: facts, vPIC's tables, and the compiler itself. */
export function inputHash(imports: string = importsFolder()): string {
  const hash = createHash('sha256');
  const folders = [
    ['facts', FACTS_ROOT],
    ['src', join(CATALOG_ROOT, 'src')],
    ['sources', join(CATALOG_ROOT, 'sources')],
    ['decoder', join(PROJECT_ROOT, 'decoder', 'src')],
    ['imports', imports],
  ] as const;
  for (const [name, folder] of folders) {
    for (const file of filesIn(folder)) {
      const path = name + file.slice(folder.length);
      hash.update(path).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  // The package is pinned by the lock file; its size and name stand for its 24 MB.
  const { size } = statSync(npmPackageFile());
  return hash.update(String(size)).digest('hex');
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.') && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Compiles a catalog from these vPIC tables and all other facts, or with other layouts than the project's. */
export function compileWith(
  vpic: VpicTables,
  hash: string,
  imports: string = importsFolder(),
  world: readonly WorldProfile[] = loadWorld(),
): Uint8Array {
  return compileCatalog({
    hash,
    vpic,
    vpicFacts: readVpicFacts(facts('vpic/')),
    regions: readRegions(facts('regions.csv')),
    wmis: readWmis(facts('wmi.csv')),
    world,
    specs: withImports(loadSpecs(), imports),
    approvals: loadApprovals(approvalsFolder(imports)),
    imported: listImports(imports),
  });
}

/** Puts a file in place in one step: whoever reads it gets the old one or the new one, whole. */
export function putInPlace(bytes: Uint8Array, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
}

/** Notes what the built catalog was made of, so that it is built again only when that changed. */
export function noteInputs(hash: string, origin: 'built' | 'imported'): void {
  writeFileSync(`${catalogFile()}.inputs`, origin === 'built' ? hash : `${IMPORTED}${hash}`);
}

/** Compiles the catalog from scratch into a file, in place in one step. */
export function compileTo(file: string, hash: string, imports: string = importsFolder()): void {
  putInPlace(compileWith(readVpicTables(openNpmPackage()), hash, imports), file);
}

/** Builds the catalog anew. Gives its path. */
export function buildCatalog(hash: string = inputHash()): string {
  compileTo(catalogFile(), hash);
  noteInputs(hash, 'built');
  return catalogFile();
}

/**
 * Builds the catalog where it is missing or its inputs changed. Gives its path, whether it was built, and whether an
 * imported one had to go: it was compiled from facts that are no longer these.
 */
export function ensureCatalog(): { file: string; built: boolean; replacedImport: boolean } {
  const hash = inputHash();
  const note = readNote();
  if (existsSync(catalogFile()) && (note === hash || note === IMPORTED + hash)) {
    return { file: catalogFile(), built: false, replacedImport: false };
  }
  return { file: buildCatalog(hash), built: true, replacedImport: note.startsWith(IMPORTED) };
}

function readNote(): string {
  const note = `${catalogFile()}.inputs`;
  return existsSync(note) ? readFileSync(note, 'utf8') : '';
}

/** A path among the facts. */
export function facts(path: string): URL {
  return pathToFileURL(join(FACTS_ROOT, path));
}
