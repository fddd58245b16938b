import Sqlite from 'better-sqlite3';

import { StorageUnwritableError } from './refusal.ts';

// The thread that commits usage loads this file: its imports are in memory twice.

/**
 * Returns a connection to a file that is there, with the settings that every promise about durability rests on. A file
 * that is missing is never made here: it would take the place of one that was deleted under a running service.
 */
export function openConnection(file: string, busyMs: number): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: busyMs, fileMustExist: true });
  connection.pragma('journal_mode = WAL');
  // FULL syncs the log at every commit: committed data survives a power cut, too.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // Erased data is overwritten: free pages would keep it.
  connection.pragma('secure_delete = ON');
  return connection;
}

/** Returns true if SQLite refused because another connection writes: nothing was done, and trying again helps. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** Returns true if SQLite could not write: the disk is full, broken or read-only. */
export function isUnwritable(error: unknown): error is Error {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
}

/** Returns true if SQLite read data that it did not write. */
export function isDamaged(error: unknown): error is Error {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
}

/** Returns true if a commit failed because the disk did not take it: see `mendLog`. */
export function isUnsynced(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code === 'SQLITE_IOERR_FSYNC';
}

/**
 * Copies the log into the file, and empties it. After a failed sync a part of it may never reach the disk, though later
 * syncs succeed, and after a power cut nothing behind that part is read: nothing may be acknowledged until this was done.
 *
 * @throws StorageUnwritableError while others read or write; SQLite's own error where the disk fails again.
 */
export function mendLog(connection: Sqlite.Database): void {
  connection.pragma('synchronous = FULL');
  const isBusy = connection.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
  if (isBusy) throw new StorageUnwritableError("SQLite's log must be emptied after a failed sync, and is in use.");
}
