import Sqlite from 'better-sqlite3';

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
