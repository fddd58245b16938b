import { compileWith, type ProjectFacts } from '../build.ts';
import { inputHash, noteInputs } from '../inputs.ts';
import { putInPlace } from '../put-in-place.ts';
import { catalogFile, facts } from '../root.ts';
import { packagedVpic } from '../vpic/packaged.ts';
import { stageImports } from './imports.ts';
import { faultOf, readKnownVins } from './verify.ts';
import { readKeptVpic } from './vpic-kept.ts';

/**
 * Changes the imported tables and compiles the catalog with them beside the one in use; puts both in place only if the
 * new catalog decodes known VINs. Returns its fault, in a sentence; else undefined.
 *
 * @param isWanted is called last with the new catalog; if it returns false, nothing changes
 */
export async function rebuild(
  { target, folder, project }: { target: string; folder: string; project?: ProjectFacts | undefined },
  change: (staged: string) => void,
  isWanted: (catalog: Uint8Array) => boolean = () => true,
): Promise<string | undefined> {
  let stage: ReturnType<typeof stageImports>;
  try {
    stage = stageImports(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return `The folder of imports, ${folder}, cannot be copied (${code}). Run this as a user who may read it and write beside it, and check that the disk has space.`;
  }
  try {
    change(stage.staged);
    const kept = await readKeptVpic();
    const hash = inputHash(stage.staged);
    const bytes = compileWith(kept ?? packagedVpic(), hash, stage.staged, project);
    const fault = faultOf(bytes, readKnownVins(facts('vpic/known-vins.csv')));
    if (fault !== undefined) return `The new catalog was not put in place: ${fault}`;
    if (!isWanted(bytes)) return undefined;
    stage.finish();
    putInPlace(bytes, target);
    if (target === catalogFile()) noteInputs(hash, kept === undefined ? 'built' : 'imported');
    return undefined;
  } finally {
    stage.drop();
  }
}
