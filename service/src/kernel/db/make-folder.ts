import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { UnusableDatabaseError } from './refusal.ts';

/** What prevents files in a folder, by the code of the system or of SQLite. */
const FAULTS: readonly { is: RegExp; means: string }[] = [
  { is: /^(?:EEXIST|ENOTDIR)$/, means: 'leads through a file that is not a folder' },
  { is: /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/, means: 'is on a disk that is full' },
  { is: /^(?:EROFS|SQLITE_READONLY)/, means: 'cannot be written to' },
  { is: /^(?:EACCES|EPERM|ENOENT|EISDIR|EINVAL|SQLITE_CANTOPEN)/, means: 'cannot be made or written to by this user' },
  { is: /^SQLITE_IOERR/, means: 'is on a disk that is full or broken' },
];

/**
 * Makes a folder and those above it that are missing. Each by itself: asked for all at once, Node never returns where a
 * file system such as /proc takes none.
 *
 * @throws UnusableDatabaseError when it cannot be made.
 */
export function makeFolder(folder: string, mode: number): void {
  try {
    makeMissing(folder, mode);
  } catch (error) {
    throw storageRefusal(error, folder);
  }
}

/** Why a data folder cannot be used, in a sentence; else the error itself. */
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
