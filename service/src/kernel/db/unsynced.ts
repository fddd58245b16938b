import type { Kysely } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/**
 * Runs single statements whose writes may be lost in a power cut, unless something is committed after them: the log is
 * one file, so that the next commit makes them durable with itself. On SQLite they do not wait for the disk; on
 * PostgreSQL no other request waits for them anyway.
 */
export async function withoutSync<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (database.engine === 'postgres') return work(database.kysely);
  const { kysely, storage } = database;
  // It has the only connection meanwhile.
  return kysely.connection().execute(async (connection) => {
    storage.isSynced = false;
    try {
      return await work(connection);
    } finally {
      storage.isSynced = true;
    }
  });
}
