import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { type CatalogInputs, compileCatalog } from './compile/compile.ts';
import { approvalsFolder, listImports } from './imported.ts';
import { catalogState, importsFolder, inputHash, noteInputs } from './inputs.ts';
import { loadApprovals } from './approvals/load.ts';
import { catalogFile, facts } from './root.ts';
import { putInPlace } from './put-in-place.ts';
import { sealed } from './seal.ts';
import { loadSpecs, withImports } from './specs/load.ts';
import type { CompiledVpic } from './vpic/compile.ts';
import { packagedVpic } from './vpic/packaged.ts';
import { readRegions } from './wmi/regions.ts';
import { readWmis } from './wmi/wmis.ts';
import { loadWorld } from './world/load.ts';

/** The project's own facts: all of a catalog but vPIC's tables and what operators import. */
export type ProjectFacts = Pick<CatalogInputs, 'regions' | 'wmis' | 'world' | 'specs'>;

/** Reads the project's facts. Most of them are read once. */
export function readProjectFacts(): ProjectFacts {
  return {
    regions: readRegions(facts('regions.csv')),
    wmis: readWmis(facts('wmi.csv')),
    world: loadWorld(),
    specs: loadSpecs(),
  };
}

/** Compiles a catalog from these vPIC data, the tables imported into a folder and the project's facts. */
export function compileWith(
  vpic: CompiledVpic,
  hash: string,
  imports: string = importsFolder(),
  project: ProjectFacts = readProjectFacts(),
): Uint8Array {
  const catalog = compileCatalog({
    ...project,
    hash,
    vpic,
    specs: withImports(project.specs, imports),
    approvals: loadApprovals(approvalsFolder(imports)),
    imported: listImports(imports),
  });
  return sealed(catalog);
}

/** Compiles the catalog from scratch into a file, in place in one step. */
export function compileTo(file: string, hash: string): void {
  putInPlace(compileWith(packagedVpic(), hash), file);
}

/** Builds the catalog anew. Gives its path. */
export function buildCatalog(hash: string = inputHash()): string {
  compileTo(catalogFile(), hash);
  noteInputs(hash, 'built');
  return catalogFile();
}

/** The extension of this module's own kind: a thread is loaded by its file. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** Reports the progress of a build, from 0 to 1. */
export type Progress = (share: number) => void;

/** Shares of a build's time, by step: facts and vPIC's tables are read at the same time. */
const DONE = { started: 0.05, facts: 0.3, vpic: 0.7 };

/** Builds the catalog where it is missing or its inputs changed, on two threads. Answers as `ensureCatalog` does. */
export async function ensureCatalogOnThreads(progress: Progress): Promise<ReturnType<typeof ensureCatalog>> {
  const { hash, isCurrent, isImported } = catalogState();
  if (isCurrent) return { file: catalogFile(), built: false, replacedImport: false };
  progress(DONE.started);
  const compiled = once(new Worker(new URL(`vpic/packaged-thread${EXTENSION}`, import.meta.url)), 'exit');
  const project = readProjectFacts();
  progress(DONE.facts);
  await compiled;
  progress(DONE.vpic);
  putInPlace(compileWith(packagedVpic(), hash, importsFolder(), project), catalogFile());
  noteInputs(hash, 'built');
  progress(1);
  return { file: catalogFile(), built: true, replacedImport: isImported };
}

/**
 * Builds the catalog where it is missing or its inputs changed. Gives its path, whether it was built, and whether an
 * imported one had to go: it was compiled from older facts.
 */
export function ensureCatalog(): { file: string; built: boolean; replacedImport: boolean } {
  const { hash, isCurrent, isImported } = catalogState();
  if (isCurrent) return { file: catalogFile(), built: false, replacedImport: false };
  return { file: buildCatalog(hash), built: true, replacedImport: isImported };
}
