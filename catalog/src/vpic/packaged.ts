import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { readVpicTables } from '../../sources/vpic/read-npm-package.ts';
import { vpicHash } from '../inputs.ts';
import { putInPlace } from '../put-in-place.ts';
import { BUILD_FOLDER } from '../root.ts';
import { compileVpic, type CompiledVpic } from './compile.ts';
import { readVpicFacts } from './facts.ts';

interface Kept {
  /** Of what it was compiled from. */
  hash: string;
  vpic: CompiledVpic;
}

/** The npm package's vPIC tables, compiled: kept beside the catalog, since they change less often than the facts. */
export function packagedVpic(): CompiledVpic {
  const file = join(BUILD_FOLDER, 'vpic.compiled');
  const hash = vpicHash();
  const kept = existsSync(file) ? (deserialize(readFileSync(file)) as Kept) : undefined;
  if (kept?.hash === hash) return kept.vpic;
  const vpic = compileVpic(readVpicTables(openNpmPackage()), readVpicFacts());
  putInPlace(serialize({ hash, vpic } satisfies Kept), file);
  return vpic;
}
