import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

import { programOf } from './programs.ts';

/** Long enough for a slow mirror; packages are unpacked and configured. */
const WITHIN_MS = 900_000;

/** Contents of a Debian system. */
export interface Debian {
  /** "trixie". */
  suite: string;
  packages: readonly string[];
  /** `minbase`: a small system with apt; `extract`: the files of the packages alone, no script of theirs is run. */
  variant: 'minbase' | 'extract';
}

/** Puts a Debian system into a folder, from the mirror that this machine installs from. Only root can. */
export async function makeDebian(folder: string, { suite, packages, variant }: Debian): Promise<void> {
  const mmdebstrap = programOf('mmdebstrap', 'mmdebstrap');
  const words = [`--variant=${variant}`, `--include=${packages.join(',')}`, suite, folder];
  await promisify(execFile)(mmdebstrap, [...words, `deb ${mirror()} ${suite} main`], { timeout: WITHIN_MS });
}

/** Returns the mirror from which this machine gets Debian's packages. @throws Error where it is not a Debian. */
function mirror(): string {
  const sites = execFileSync(programOf('apt-get', 'apt'), ['indextargets', '--format', '$(SITE)'], {
    encoding: 'utf8',
  }).split('\n');
  const found = sites.find((site) => /\/debian\/?$/.test(site));
  if (found === undefined) throw new Error("apt has no mirror of Debian's, such as http://deb.debian.org/debian.");
  return found;
}

/** @throws Error when this is not root, which alone can make containers here. */
export function needRoot(): void {
  if (process.getuid?.() !== 0) throw new Error('This drill makes a Debian system in a folder, which only root can.');
}
