import type { Kysely } from 'kysely';

import type { RecentFailure } from './recent-failure.ts';
import type { Schema, Topics } from './schema.ts';
import type { SqliteStorage } from './sqlite-storage.ts';
import type Sqlite from 'better-sqlite3';
import type pg from 'pg';

/** The configured location of the database. */
export interface DatabaseLocation {
  /** Folder of the SQLite database; made when it is missing. */
  dataDir: string;
  /** A PostgreSQL URL; undefined: SQLite in `dataDir`. */
  databaseUrl: string | undefined;
}

/** A topic of the copies that instances keep; each slice adds its own in its `tables.ts`, as a member of `Topics`. */
export type Topic = keyof Topics;

/** Versions of topics, which rise with each `change`: they show whether a cached copy is current. */
export interface Changes {
  /** Returns a version that was current at most a quarter of a second ago; on SQLite, at this moment. */
  version(topic: Topic): number | Promise<number>;
  /** Makes the next read query the database. */
  forget(): void;
  /** Drops cached rows after a change, here and in the other processes of this service. */
  changed(): Promise<void>;
}

interface DatabaseCommon {
  readonly changes: Changes;
  /** The last time that nothing could be stored. */
  readonly failure: RecentFailure;
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
  readonly storage: SqliteStorage;
}

/** PostgreSQL: Kysely's statements, charges and long work have connections of their own. */
export interface PostgresDatabase extends DatabaseCommon {
  readonly engine: 'postgres';
  /** For charges, and the few other statements that are written by hand. */
  readonly pool: pg.Pool;
  /** Separate connections for long statements, so that no request waits for one of them. */
  readonly longTimeout: { readonly kysely: Kysely<Schema>; readonly pool: pg.Pool };
  readonly url: string;
}

/** An opened, migrated database. */
export type Database = SqliteDatabase | PostgresDatabase;
