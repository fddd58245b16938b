import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { npmPackageFile } from '../../sources/vpic/npm-package-file.ts';
import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { readVpicModels, readVpicTables } from '../../sources/vpic/read-npm-package.ts';
import { vpicHash } from '../inputs.ts';
import { putInPlace } from '../put-in-place.ts';
import { BUILD_FOLDER } from '../root.ts';
import { compileVpic, type CompiledVpic } from './compile.ts';
import { readVpicFacts } from './facts.ts';

/** The npm package's vPIC tables, compiled, and the names of their models. */
interface Packaged {
  vpic: CompiledVpic;
  models: { make: string; model: string }[];
}

interface Kept extends Packaged {
  /** Hash of its inputs. */
  hash: string;
}

/** Returns the npm package's vPIC tables, compiled. */
export function packagedVpic(): CompiledVpic {
  return packaged().vpic;
}

/** Returns the names of vPIC's models with their makes, without the patterns of VINs. */
export function packagedModels(): readonly { make: string; model: string }[] {
  return packaged().models;
}

/**
 * Reads the compiled tables kept beside the catalog, since the tables change less often than the facts. In an
 * installation with a compiled catalog, the npm package is missing, and the tables came with it.
 */
function packaged(): Packaged {
  const file = join(BUILD_FOLDER, 'vpic.compiled');
  const kept = existsSync(file) ? (deserialize(readFileSync(file)) as Kept) : undefined;
  if (kept !== undefined && npmPackageFile() === undefined) return kept;
  const hash = vpicHash();
  if (kept?.hash === hash) return kept;
  const database = openNpmPackage();
  const vpic = compileVpic(readVpicTables(database), readVpicFacts());
  const compiled = { hash, vpic, models: readVpicModels(database) } satisfies Kept;
  putInPlace(serialize(compiled), file);
  return compiled;
}
