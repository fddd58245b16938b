import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Gives the decoder that is packed once a run, at `/decoder`. */
    packagesDesk: string;
  }
}

/** The desk's description of a package. */
interface Packed {
  archive: string;
  bytes: number;
  files: string[];
}

const EXAMPLES = import.meta.dirname;

/** A copy of the examples with the package installed beside them, as its user has it. */
export interface Installed extends Disposable {
  /** The folder of the examples. */
  folder: string;
  /** Paths inside the package, as published. */
  files: string[];
  /** Bytes to download for an installation. */
  packedBytes: number;
}

/** Installs the decoder, packed as it would be published, beside the examples. */
export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-decoder-'));
  const home = join(folder, 'node_modules', '@marque', 'decoder');
  mkdirSync(home, { recursive: true });
  const packed = await packedDecoder();
  await promisify(execFile)('tar', ['-xzf', packed.archive, '-C', home, '--strip-components=1']);
  for (const example of ['node', 'browser', 'csv']) {
    cpSync(join(EXAMPLES, example), join(folder, example), { recursive: true });
  }
  for (const page of ['browser', 'csv']) {
    cpSync(join(folder, 'node_modules'), join(folder, page, 'node_modules'), { recursive: true });
  }
  return {
    folder,
    files: packed.files,
    packedBytes: packed.bytes,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function packedDecoder(): Promise<Packed> {
  const answer = await fetch(`${inject('packagesDesk')}/decoder`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const [packed]: Packed[] = JSON.parse(text);
  if (packed === undefined) throw new Error('npm packed nothing.');
  return packed;
}
