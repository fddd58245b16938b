import { sql, type Kysely } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** Runs statements that may take longer than a request's: reports and checks over everything. */
export async function withPatience<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (database.engine === 'sqlite') return work(database.kysely);
  return database.kysely.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}
