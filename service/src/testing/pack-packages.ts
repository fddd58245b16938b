import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLONE = fileURLToPath(new URL('../../../', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The address that gives a test file the packages that are packed once a run, as lists of `Packed`: at `/decoder`,
     * and at `/others`.
     */
    packagesDesk: string;
  }
}

/** A package as it is published. */
export interface Packed {
  name: string;
  /** The path of its archive. */
  archive: string;
  /** The archive's size. */
  bytes: number;
  /** Paths inside the package. */
  files: string[];
}

/** npm's output about an archive that it wrote. */
interface PackedArchive {
  name: string;
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Packs the decoder as it would be published. npm builds it first, whatever this machine's setting for scripts. */
export async function packDecoder(): Promise<Packed[]> {
  return pack(['decoder'], '--ignore-scripts=false');
}

/** Packs the other packages as they would be published, as they were built last: the same script would build them. */
export async function packOthers(): Promise<Packed[]> {
  return pack(['catalog', 'service', 'client'], '--ignore-scripts=true');
}

async function pack(names: readonly string[], scripts: string): Promise<Packed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  const words = ['pack', '--json', scripts, `--pack-destination=${folder}`];
  const workspaces = names.map((name) => `--workspace=${name}`);
  const { stdout } = await promisify(execFile)('npm', [...words, ...workspaces], { cwd: CLONE, maxBuffer: 2 ** 24 });
  // A list, or from npm 12 on an object by package name.
  const told: PackedArchive[] | Record<string, PackedArchive> = JSON.parse(stdout);
  return Object.values(told).map(({ name, filename, size, files }) => ({
    name,
    archive: join(folder, filename),
    bytes: size,
    files: files.map(({ path }) => path),
  }));
}
