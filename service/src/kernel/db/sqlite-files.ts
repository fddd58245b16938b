import { closeSync, openSync, readSync, statSync } from 'node:fs';

import { StorageUnwritableError } from './refusal.ts';

// The thread that commits usage loads this file: what it imports is in memory twice.

/** Device and inode of each file of a database, by path, as they were when it was opened. */
export type OpenFiles = Readonly<Record<string, string>>;

/** What every SQLite database begins with. */
const MAGIC = 'SQLite format 3\0';

/** The files of an open database: itself, its log, and the index of its log. */
export function openFilesOf(file: string): OpenFiles {
  return Object.fromEntries([file, `${file}-wal`, `${file}-shm`].map((path) => [path, identityOf(path)]));
}

/**
 * SQLite keeps reading and writing a file that was deleted or replaced, and all of it is lost when it closes. Three
 * calls of the system, some microseconds.
 *
 * @throws StorageUnwritableError when a file is no longer the one that is open.
 */
export function checkFiles(files: OpenFiles): void {
  for (const path in files) {
    if (identityOf(path) === files[path]) continue;
    throw new StorageUnwritableError(
      `${path} is no longer the file that is open: it was deleted, moved, or replaced. Put it back, or stop the service ` +
        'and restore a backup.',
    );
  }
}

/** Whether a file begins as an SQLite database does. Reads the disk, because SQLite's copy in memory may be out of date. */
export function beginsAsDatabase(file: string): boolean {
  const beginning = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, beginning, 0, beginning.length, 0);
  } finally {
    closeSync(handle);
  }
  return beginning.toString('latin1') === MAGIC;
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.dev}:${stats.ino}`;
}
