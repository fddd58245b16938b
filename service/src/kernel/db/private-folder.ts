import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { UnusableDatabaseError } from './refusal.ts';

/** True on Windows, which has no such permissions: a folder there is private if its parent is. */
const IS_WINDOWS = process.platform === 'win32';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Permission bits of the group and of everybody else; of these, those of everybody else to change something. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
/** The mode bit of folders that people share, such as /tmp. */
const STICKY = 0o1000;

/**
 * Makes a data folder that only its owner can open, with files that only their owner can read, and mends one that was
 * left open. SQLite gives its log the permissions of the database.
 *
 * @param files names of all that belongs to the database; `made` are made where they are missing.
 * @throws UnusableDatabaseError when other users of the machine could read it, and that cannot be mended.
 */
export function closeToOthers(dataDir: string, files: { made: readonly string[]; others: readonly string[] }): void {
  makeFolder(dataDir, FOLDER_MODE);
  const known = [...files.made, ...files.others];
  if (!IS_WINDOWS) closeFolder(dataDir, known);
  for (const name of known) {
    const path = join(dataDir, name);
    if (files.made.includes(name)) closeSync(openSync(path, 'a', FILE_MODE));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!IS_WINDOWS && stats !== undefined && (stats.mode & OTHERS) !== 0) closeFile(path);
  }
}

function closeFolder(dataDir: string, files: readonly string[]): void {
  const stats = statSync(dataDir);
  if ((stats.mode & OTHERS) === 0) return;
  if (isOwn(stats) && (stats.mode & STICKY) === 0 && readdirSync(dataDir).every((name) => files.includes(name))) {
    chmodSync(dataDir, FOLDER_MODE);
    return;
  }
  // A volume often belongs to another user who opened it to this service's group: only its files are closed.
  if (!isOwn(stats) && (stats.mode & OTHERS_WRITE) === 0) return;
  throw new UnusableDatabaseError(
    `The data folder ${dataDir} is open to other users of this machine and holds more than the database. Set DATA_DIR ` +
      `to a folder of its own, or close this one: chmod 700 ${dataDir}`,
  );
}

function closeFile(path: string): void {
  try {
    chmodSync(path, FILE_MODE);
  } catch (error) {
    throw new UnusableDatabaseError(
      `${path} is open to other users of this machine, and this one may not change that. As its owner: chmod 600 ${path}`,
      { cause: error },
    );
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

/** Faults that prevent files in a folder, by the code of the system or of SQLite. */
const FAULTS: readonly { is: RegExp; means: string }[] = [
  { is: /^(?:EEXIST|ENOTDIR)$/, means: 'leads through a file that is not a folder' },
  { is: /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/, means: 'is on a disk that is full' },
  { is: /^(?:EROFS|SQLITE_READONLY)/, means: 'cannot be written to' },
  {
    is: /^(?:EACCES|EPERM|ENOENT|ENAMETOOLONG|EISDIR|EINVAL|SQLITE_CANTOPEN)/,
    means: 'cannot be made or written to by this user',
  },
  { is: /^SQLITE_IOERR/, means: 'is on a disk that is full or broken' },
];

/**
 * Makes a folder and those above it that are missing. Each by itself: asked for all at once, Node never returns where a
 * file system such as /proc takes none.
 *
 * @throws UnusableDatabaseError when it cannot be made.
 */
function makeFolder(folder: string, mode: number): void {
  try {
    makeMissing(folder, mode);
  } catch (error) {
    throw storageRefusal(error, folder);
  }
}

/** Explains why a data folder cannot be used, in a sentence; else returns the error itself. */
export function storageRefusal(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = FAULTS.find(({ is }) => is.test(code));
  if (found === undefined) return error;
  return new UnusableDatabaseError(
    `The data folder ${folder} ${found.means} (${code}). Set DATA_DIR to a folder that can be written to.`,
    { cause: error },
  );
}

function makeMissing(folder: string, mode: number): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found === undefined && dirname(folder) !== folder) makeMissing(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it at this moment.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
