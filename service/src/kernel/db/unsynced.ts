import { type Kysely, sql } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/**
 * Runs single statements whose writes may be lost in a power cut, unless something is committed after them: the log is
 * one file, so that the next commit makes them durable with itself. On SQLite they do not wait for the disk, which
 * would stop this process and every request in it; on PostgreSQL no request waits for them anyway.
 */
export async function withoutSync<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (database.engine === 'postgres') return work(database.kysely);
  return database.kysely.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection);
    }
  });
}
