import type { Kysely } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** Runs statements that may take longer than a request's: reports and checks over everything. */
export async function withLongTimeout<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  return work(database.engine === 'sqlite' ? database.kysely : database.longTimeout.kysely);
}
