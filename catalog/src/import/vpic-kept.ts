import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { readVpicDump } from '../../sources/vpic/dump/read.ts';
import { importsFolder } from '../inputs.ts';
import { compileVpic, type CompiledVpic } from '../vpic/compile.ts';
import { readVpicFacts } from '../vpic/facts.ts';

/** Returns the folder of NHTSA's imported download, so that another import does not lose it. */
function keptFolder(): string {
  return join(dirname(importsFolder()), 'vpic');
}

/** Keeps a download, in place of an earlier one. */
export function keepVpic(file: string): void {
  forgetVpic();
  mkdirSync(keptFolder(), { recursive: true });
  copyFileSync(file, join(keptFolder(), basename(file)), constants.COPYFILE_FICLONE);
}

/** Returns true if a download is kept. */
export function keepsVpic(): boolean {
  return existsSync(keptFolder());
}

/** Forgets the kept download. */
export function forgetVpic(): void {
  rmSync(keptFolder(), { recursive: true, force: true });
}

/** Returns the kept download, compiled; undefined where none is kept. */
export async function readKeptVpic(): Promise<CompiledVpic | undefined> {
  const [name] = existsSync(keptFolder()) ? readdirSync(keptFolder()) : [];
  if (name === undefined) return undefined;
  return compileVpic(await readVpicDump(join(keptFolder(), name), new Date()), readVpicFacts());
}
