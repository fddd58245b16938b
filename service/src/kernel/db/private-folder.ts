import { chmodSync, closeSync, openSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from './make-folder.ts';
import { UnusableDatabaseError } from './refusal.ts';

/** It has no such permissions: a folder there is private where its parent is. */
const IS_WINDOWS = process.platform === 'win32';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Permission bits of the group and of everybody else; of these, those of everybody else to change something. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
/** Set where people share a folder, such as /tmp. */
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
