import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** Rows in one batch of a long removal: few enough that charges wait only a few milliseconds for it. */
export const BATCH_ROWS = 500;

/**
 * Runs batches until there is nothing left to do, and lets other work run between them.
 *
 * @param batch does one batch and returns how many rows it took.
 * @param signal ends it between two batches: it then rejects.
 * @returns the rows of all batches.
 */
export async function inBatches(batch: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let all = 0;
  for (;;) {
    signal?.throwIfAborted();
    const done = await batch();
    if (done === 0) return all;
    all += done;
    await nextTurn();
  }
}

/** Rows that are removed, some at a time. */
interface Removal {
  table: keyof Schema;
  key: readonly string[];
  where: RawBuilder<boolean>;
  /** Locks what other transactions lock before such rows: else the two could wait for each other. */
  lock?: (transaction: Transaction<Schema>) => Promise<unknown>;
}

/** Removes rows of a table, some at a time. @param signal as of `inBatches`. @returns how many. */
export async function removeInBatches(
  { kysely }: Pick<Database, 'kysely'>,
  { table, key, where, lock }: Removal,
  signal?: AbortSignal,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.id(name)));
  const batch = async (transaction: Transaction<Schema>): Promise<number> => {
    await lock?.(transaction);
    const some = sql`SELECT ${columns} FROM ${sql.table(table)} WHERE ${where} LIMIT ${BATCH_ROWS}`;
    const removed = await sql`DELETE FROM ${sql.table(table)} WHERE (${columns}) IN (${some})`.execute(transaction);
    return Number(removed.numAffectedRows ?? 0);
  };
  return inBatches(() => kysely.transaction().execute(batch), signal);
}

/** Runs statements that may take longer than a request's: reports and checks over everything. */
export async function withLongTimeout<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  return work(database.engine === 'sqlite' ? database.kysely : database.longTimeout.kysely);
}
