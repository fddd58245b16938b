import type { ProjectFacts } from '../build.ts';
import { importsFolder } from '../inputs.ts';
import { catalogFile } from '../root.ts';
import { listImports } from '../imported.ts';
import { takeImport } from './imports.ts';
import { rebuild } from './rebuild.ts';
import { forgetVpic, keepsVpic } from './vpic-kept.ts';

/** The outcome of rebuilding the catalog. A refused one changed nothing; the reason is for people. */
export type RebuildOutcome = { kind: 'rebuilt'; file: string } | { kind: 'refused'; reason: string };

interface Places {
  /** The path of the catalog; default: that of the built one. */
  target?: string;
  /** The folder of the registers' tables; default: beside the built catalog. */
  folder?: string;
  /** The facts that it is compiled with; default: the project's. */
  project?: ProjectFacts;
}

/** Rebuilds the catalog with everything that was imported. */
export async function rebuildCatalog(): Promise<RebuildOutcome> {
  return outcomeOf({}, () => undefined);
}

/** Compiles the catalog without the data imported from a source. */
export async function removeImport(source: string, places: Places): Promise<RebuildOutcome> {
  if (source === 'vpic') {
    if (!keepsVpic()) return { kind: 'refused', reason: 'Nothing was imported as vpic.' };
    forgetVpic();
    return outcomeOf(places, () => undefined);
  }
  const known = listImports(places.folder ?? importsFolder()).map(({ id }) => id);
  if (!known.includes(source)) return { kind: 'refused', reason: `Nothing was imported as ${source}.` };
  return outcomeOf(places, (staged) => takeImport(staged, source));
}

async function outcomeOf(places: Places, change: (staged: string) => void): Promise<RebuildOutcome> {
  const { target = catalogFile(), folder = importsFolder(), project } = places;
  const fault = await rebuild({ target, folder, project }, change);
  return fault === undefined ? { kind: 'rebuilt', file: target } : { kind: 'refused', reason: fault };
}
