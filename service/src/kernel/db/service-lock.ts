import { join } from 'node:path';

import Sqlite from 'better-sqlite3';

import { UnusableDatabaseError } from './refusal.ts';

/** The file whose lock marks a data folder as taken. */
export const LOCK_FILE = 'service.lock';

/**
 * Takes a data folder for one service.
 *
 * The lock is the operating system's own lock on a file, held through an SQLite transaction: when the process dies,
 * however it dies, the lock is gone with it and no stale mark stays behind.
 *
 * @returns a function that frees the folder.
 * @throws UnusableDatabaseError when another service has the folder.
 */
export function lockFolder(dataDir: string): () => void {
  const lock = new Sqlite(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new UnusableDatabaseError(
        `Another service is running on the data folder ${dataDir}. Stop it first, set DATA_DIR to another folder, ` +
          'or use PostgreSQL (DATABASE_URL) to run several.',
      );
    }
    throw error;
  }
  return () => {
    lock.close();
  };
}
