import type { ProjectFacts } from '../build.ts';
import { importsFolder } from '../inputs.ts';
import { catalogFile } from '../root.ts';
import { listImports } from '../imported.ts';
import { alone } from './alone.ts';
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
export async function rebuildCatalog(places: Places = {}): Promise<RebuildOutcome> {
  return outcomeOf(places, () => () => undefined);
}

/** Compiles the catalog without the data imported from a source. */
export async function removeImport(source: string, places: Places): Promise<RebuildOutcome> {
  return outcomeOf(places, (folder) => {
    const known = source === 'vpic' ? keepsVpic() : listImports(folder).some(({ id }) => id === source);
    if (!known) return `Nothing was imported as ${source}.`;
    if (source === 'vpic') forgetVpic();
    return (staged) => takeImport(staged, source);
  });
}

/** @param plan returns the change of a folder of imports, or why there is none. */
async function outcomeOf(
  places: Places,
  plan: (folder: string) => string | ((staged: string) => void),
): Promise<RebuildOutcome> {
  const { target = catalogFile(), folder = importsFolder(), project } = places;
  return alone([folder, target], async () => {
    const change = plan(folder);
    const fault = typeof change === 'string' ? change : await rebuild({ target, folder, project }, change);
    return fault === undefined ? { kind: 'rebuilt', file: target } : { kind: 'refused', reason: fault };
  });
}
