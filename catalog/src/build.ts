import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { npmPackageFile, openNpmPackage } from '../sources/vpic/npm-package.ts';
import { readVpicTables } from '../sources/vpic/read-npm-package.ts';
import { compileCatalog } from './compile/compile.ts';
import { CATALOG_ROOT, FACTS_ROOT, PROJECT_ROOT } from './root.ts';
import { loadSpecs } from './specs/load.ts';
import { readVpicFacts } from './vpic/facts.ts';
import { readRegions } from './wmi/regions.ts';
import { readWmis } from './wmi/wmis.ts';
import { loadWorld } from './world/load.ts';

const BUILD = join(CATALOG_ROOT, 'build');

/** Where the built catalog stands. */
export function catalogFile(): string {
  return join(BUILD, 'marque.catalog');
}

/** Hash of everything that the catalog is made of: facts, vPIC's tables, and the compiler itself. */
export function inputHash(): string {
  const hash = createHash('sha256');
  const folders = [
    FACTS_ROOT,
    join(CATALOG_ROOT, 'src'),
    join(CATALOG_ROOT, 'sources'),
    join(PROJECT_ROOT, 'decoder', 'src'),
  ];
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      hash.update(file.slice(PROJECT_ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
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

/** Compiles the catalog from scratch into a file, in place in one step. */
export function compileTo(file: string, hash: string): void {
  const bytes = compileCatalog({
    hash,
    vpic: readVpicTables(openNpmPackage()),
    vpicFacts: readVpicFacts(facts('vpic/')),
    regions: readRegions(facts('regions.csv')),
    wmis: readWmis(facts('wmi.csv')),
    world: loadWorld(),
    specs: loadSpecs(),
  });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
}

/** Builds the catalog anew. Gives its path. */
export function buildCatalog(hash: string = inputHash()): string {
  mkdirSync(BUILD, { recursive: true });
  compileTo(catalogFile(), hash);
  writeFileSync(`${catalogFile()}.inputs`, hash);
  return catalogFile();
}

/** Builds the catalog where it is missing or its inputs changed. Gives its path and whether it was built. */
export function ensureCatalog(): { file: string; built: boolean } {
  const hash = inputHash();
  const note = `${catalogFile()}.inputs`;
  if (existsSync(catalogFile()) && existsSync(note) && readFileSync(note, 'utf8') === hash) {
    return { file: catalogFile(), built: false };
  }
  return { file: buildCatalog(hash), built: true };
}

function facts(path: string): URL {
  return pathToFileURL(join(FACTS_ROOT, path));
}
