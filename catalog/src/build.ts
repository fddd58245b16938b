import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { openNpmPackage } from '../sources/vpic/npm-package.ts';
import { readVpicTables } from '../sources/vpic/read-npm-package.ts';
import { compileCatalog } from './compile/compile.ts';
import { approvalsFolder, listImports } from './import/imports.ts';
import { catalogState, importsFolder, inputHash, noteInputs } from './inputs.ts';
import { loadApprovals } from './approvals/load.ts';
import { catalogFile, FACTS_ROOT } from './root.ts';
import { loadSpecs, withImports } from './specs/load.ts';
import { readVpicFacts } from './vpic/facts.ts';
import type { VpicTables } from './vpic/tables.ts';
import { readRegions } from './wmi/regions.ts';
import { readWmis } from './wmi/wmis.ts';
import { loadWorld } from './world/load.ts';
import type { WorldProfile } from './world/model.ts';

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
  const { hash, isCurrent, isImported } = catalogState();
  if (isCurrent) return { file: catalogFile(), built: false, replacedImport: false };
  return { file: buildCatalog(hash), built: true, replacedImport: isImported };
}

/** A path among the facts. */
export function facts(path: string): URL {
  return pathToFileURL(join(FACTS_ROOT, path));
}
