import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';

import { sqliteChanges } from './changes.ts';
import { type AppliedMigration, type Migration, pendingMigrations } from './migrate.ts';
import { closeToOthers, storageRefusal } from './private-folder.ts';
import { UnusableDatabaseError } from './refusal.ts';
import { isBusy, isDamaged, openConnection } from './sqlite-connection.ts';
import { SqliteDialect } from './sqlite-dialect.ts';
import { SqliteStorage } from './sqlite-storage.ts';
import type { SqliteDatabase } from './open.ts';
import type { Schema } from './schema.ts';

/** The database's file in its folder. */
export const SQLITE_FILE = 'marque.db';

/** The file whose lock marks a data folder as taken. */
const LOCK_FILE = 'service.lock';

/** SQLite's other files: the log and its index, and journals left by a power failure. */
const SIDE_FILES = [`${SQLITE_FILE}-wal`, `${SQLITE_FILE}-shm`, `${SQLITE_FILE}-journal`, `${LOCK_FILE}-journal`];

/** Long enough for another process to finish its migration. */
const START_BUSY_MS = 30_000;

/**
 * Pages of the log after which a write of this connection copies them into the file, which stops the process. The
 * thread that commits usage does it after 1,000; this one only where that thread has nothing to commit.
 */
const CHECKPOINT_PAGES = 4_000;

/**
 * Opens the SQLite database of a data folder and migrates it.
 * @param steps the migrations to apply; fewer than all of them is for restoring an old backup.
 * @throws UnusableDatabaseError when the folder cannot be used, when it is newer than the program, or when `role` is
 *   `service` and a service runs there.
 */
export async function openSqlite(
  dataDir: string,
  role: 'service' | 'worker' | 'tool',
  steps: readonly Migration[],
): Promise<SqliteDatabase> {
  // The lock is a service's: a command that another user of the machine runs would leave one that it cannot open.
  const made = role === 'service' ? [SQLITE_FILE, LOCK_FILE] : [SQLITE_FILE];
  const unlock = takeFolder(dataDir, { made, others: [LOCK_FILE, ...SIDE_FILES] }, role);
  const file = join(dataDir, SQLITE_FILE);
  try {
    const queries = openConnection(file, START_BUSY_MS);
    migrateSqlite(queries, steps);
    if (role === 'service') freeLeases(queries);
    queries.pragma('busy_timeout = 0');
    // `SqliteStorage.sync` does the rest, off this thread.
    queries.pragma('synchronous = NORMAL');
    queries.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const direct = openConnection(file, 0);
    const storage = new SqliteStorage(file);
    const kysely = new Kysely<Schema>({ dialect: new SqliteDialect(queries, storage) });
    const closeAll = async (): Promise<void> => {
      // Waits for the one that uses the connection.
      await kysely.connection().execute(async () => {});
      await kysely.destroy();
      queries.close();
      direct.close();
      await storage.close();
      unlock();
    };
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= closeAll());
    const { failure } = storage;
    return { engine: 'sqlite', kysely, changes: sqliteChanges(direct, storage), direct, file, storage, failure, close };
  } catch (error) {
    unlock();
    if (!isDamaged(error)) throw storageRefusal(error, dataDir);
    throw new UnusableDatabaseError(
      `The database ${file} is damaged (${error.message}). Move it away and restore a backup: marque db restore FILE`,
      { cause: error },
    );
  }
}

/** Makes and closes the folder, and takes it for a service. @returns a function that frees it. */
function takeFolder(
  dataDir: string,
  files: { made: readonly string[]; others: readonly string[] },
  role: 'service' | 'worker' | 'tool',
): () => void {
  try {
    closeToOthers(dataDir, files);
    return role === 'service' ? lockFolder(dataDir) : () => {};
  } catch (error) {
    throw storageRefusal(error, dataDir);
  }
}

/** Ends the leases of a killed service: this one has the folder's lock, so no other can be working on those jobs. */
function freeLeases(connection: Sqlite.Database): void {
  const tables = connection
    .prepare<[], string>(
      "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'locked_by'",
    )
    .pluck()
    .all();
  for (const table of tables) {
    connection.exec(`UPDATE ${table} SET locked_by = NULL, locked_until = 0 WHERE locked_by IS NOT NULL`);
  }
}

function migrateSqlite(connection: Sqlite.Database, steps: readonly Migration[]): void {
  const pending = (): ReturnType<typeof pendingMigrations> => {
    const applied = connection.prepare<[], AppliedMigration>('SELECT * FROM schema_versions ORDER BY version').all();
    return pendingMigrations(steps, applied, 'sqlite');
  };
  // The usual case needs no lock: a command does not wait for a service that writes.
  const isFresh = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_versions'").get() === undefined;
  if (!isFresh && pending().length === 0) return;
  const apply = connection.transaction(() => {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, name TEXT NOT NULL, ' +
        'fingerprint TEXT NOT NULL, program TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
    );
    for (const { sql, ...migration } of pending()) {
      connection.exec(sql);
      connection
        .prepare('INSERT INTO schema_versions VALUES (@version, @name, @fingerprint, @program, @now)')
        .run({ ...migration, now: Date.now() });
    }
  });
  // The write lock is taken before the version is read, so two programs that start at once migrate one after the other.
  apply.immediate();
}

/**
 * Takes a data folder for one service.
 *
 * The lock is the operating system's own lock on a file, held through an SQLite transaction: when the process dies,
 * however it dies, the lock is gone with it and no stale mark stays behind.
 *
 * @returns a function that frees the folder.
 * @throws UnusableDatabaseError when another service has the folder.
 */
function lockFolder(dataDir: string): () => void {
  const lock = new Sqlite(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error)) {
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
