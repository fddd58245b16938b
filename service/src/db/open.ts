import type { Kysely } from 'kysely';

import type { Schema } from './schema.ts';
import type Sqlite from 'better-sqlite3';
import type pg from 'pg';

/** Where the database is, as configured. */
export interface DatabaseLocation {
  /** Folder of the SQLite database; made when it is missing. */
  dataDir: string;
  /** A PostgreSQL URL; undefined: SQLite in `dataDir`. */
  databaseUrl: string | undefined;
}

interface DatabaseCommon {
  /** The typed queries, the same for both engines. */
  readonly kysely: Kysely<Schema>;
  /** Ends every connection and frees the service lock. Idempotent. */
  close(): Promise<void>;
}

/** SQLite: besides Kysely's own connection, a second one for statements that answer without waiting. */
export interface SqliteDatabase extends DatabaseCommon {
  readonly engine: 'sqlite';
  readonly file: string;
  readonly direct: Sqlite.Database;
}

/** PostgreSQL: Kysely and the hand-written statements share one pool. */
export interface PostgresDatabase extends DatabaseCommon {
  readonly engine: 'postgres';
  readonly pool: pg.Pool;
  readonly url: string;
}

/** An opened, migrated database. */
export type Database = SqliteDatabase | PostgresDatabase;
