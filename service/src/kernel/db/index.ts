import { sql } from 'kysely';

import type { AppliedMigration, Definition } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Database, DatabaseLocation } from './open.ts';

export { backupDatabase } from './backup/backup.ts';
export { lastBackupMs, noteBackup } from './backup/backup.ts';
export { restoreDatabase, type RestoreSummary } from './backup/restore.ts';
export type { BackupRow, Conversions, ConvertedRow } from './conversion.ts';
export { type Definition, type Migration, migrationsOf } from './migrate.ts';
export type { Database, DatabaseLocation, PostgresDatabase, SqliteDatabase } from './open.ts';
export { guarded } from './postgres-pool.ts';
export {
  DatabaseUnavailableError,
  NewerDatabaseError,
  StorageUnwritableError,
  UnusableDatabaseError,
} from './refusal.ts';
export type { Schema } from './schema.ts';
export { ASYNCHRONOUS, CLOCK_TOLERANCE_MS, clockSentence, type ServerState, ServerWatch } from './server-watch.ts';
export { type Tables } from './table.ts';
export { SHARED_TABLES } from './tables.ts';

/**
 * The role of the process that opens the database. A `service` takes the SQLite folder for itself; a `worker` (a
 * process of a service that has the folder) and a `tool` (a command) work alongside it.
 */
export type Role = 'service' | 'worker' | 'tool';

/**
 * Opens the database and brings it to the program's version. A service's own `openDatabase` knows its definition.
 *
 * @param notifyPeers notifies the other processes of this service that their copies are out of date.
 * @throws UnusableDatabaseError when the database is newer than the program, or another service has the SQLite folder.
 */
export async function openDatabase(
  definition: Definition,
  location: DatabaseLocation,
  role: Role,
  notifyPeers?: () => Promise<void>,
): Promise<Database> {
  return location.databaseUrl === undefined
    ? openSqlite(location.dataDir, role, definition.migrations)
    : openPostgres(location.databaseUrl, definition, notifyPeers);
}

/** Returns the migrations that ran on a database, oldest first. */
export async function appliedMigrations({ kysely }: Pick<Database, 'kysely'>): Promise<Required<AppliedMigration>[]> {
  const rows = sql<Required<AppliedMigration>>`
    SELECT version, name, fingerprint, program FROM schema_versions ORDER BY version`.execute(kysely);
  return (await rows).rows;
}
