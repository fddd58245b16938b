import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { DumpError } from '../../sources/vpic/dump/dump-error.ts';
import { readVpicDump } from '../../sources/vpic/dump/read.ts';
import { compileWith, type ProjectFacts } from '../build.ts';
import { inputHash, noteInputs } from '../inputs.ts';
import { putInPlace } from '../put-in-place.ts';
import { catalogFile, facts } from '../root.ts';
import { compileVpic } from '../vpic/compile.ts';
import { readVpicFacts } from '../vpic/facts.ts';
import { FormatLimitError } from '../vpic/limits.ts';
import { alone } from './alone.ts';
import { keepVpic } from './vpic-kept.ts';
import { faultOf, type KnownVin, readKnownVins } from './verify.ts';

/** The outcome of an import. A refused one changed nothing; the reason is for a person. */
export type ImportOutcome =
  | { kind: 'imported'; file: string; rows: number; schemas: number; wmis: number }
  | { kind: 'refused'; reason: string };

export interface ImportOptions {
  /** The path of the catalog; default: that of the built one. */
  target?: string;
  /** Called while the file is read, with the share that was. */
  onProgress?: (share: number) => void;
  /** VINs that the new catalog must decode rightly; default: facts/vpic/known-vins.csv. */
  known?: readonly KnownVin[];
  /** The facts that it is compiled with; default: the project's. */
  project?: ProjectFacts;
  now?: Date;
}

/**
 * Compiles a catalog with the vPIC tables of NHTSA's official download. The earlier catalog stays until the new one is
 * verified. Takes a minute or two and up to 1.5 GiB.
 */
export async function importVpic(file: string, options: ImportOptions = {}): Promise<ImportOutcome> {
  const { target = catalogFile() } = options;
  return alone([target], async () => importAlone(file, { ...options, target }));
}

async function importAlone(file: string, options: ImportOptions & { target: string }): Promise<ImportOutcome> {
  const { target, onProgress, now = new Date() } = options;
  try {
    const vpic = compileVpic(await readVpicDump(file, now, onProgress), readVpicFacts());
    const inputs = inputHash();
    const hash = createHash('sha256')
      .update(inputs)
      .update(await hashOf(file))
      .digest('hex');
    const bytes = compileWith(vpic, hash, undefined, options.project);
    const fault = faultOf(bytes, options.known ?? readKnownVins(facts('vpic/known-vins.csv')));
    if (fault !== undefined) return { kind: 'refused', reason: `The new catalog was not put in place: ${fault}` };
    putInPlace(bytes, target);
    if (target === catalogFile()) {
      noteInputs(inputs, 'imported');
      keepVpic(file);
    }
    const { rows, schemas, wmis } = vpic;
    return { kind: 'imported', file: target, rows, schemas, wmis: wmis.length };
  } catch (error) {
    if (error instanceof DumpError || error instanceof FormatLimitError)
      return { kind: 'refused', reason: error.message };
    if (isFileError(error)) return { kind: 'refused', reason: `${file} cannot be read: ${error.message}` };
    throw error;
  }
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:ENOENT|EACCES|EISDIR|EPERM)$/.test(String(error.code));
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
