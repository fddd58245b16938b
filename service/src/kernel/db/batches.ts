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

/** Rows of a table. */
interface Chosen {
  table: keyof Schema;
  key: readonly string[];
  where: RawBuilder<boolean>;
}

/** Rows that are removed, some at a time. */
interface Removal extends Chosen {
  /** Locks what other transactions lock before such rows: else the two could wait for each other. */
  lock?: (transaction: Transaction<Schema>) => Promise<unknown>;
}

/**
 * Returns the condition of a batch of rows, for a statement on their table, which has no partitions. What PostgreSQL
 * knows of a table may be old: only by their places does it always find the rows without reading all others again. A
 * row that another transaction changes meanwhile is left to the next batch.
 */
export function batchOf({ engine }: Pick<Database, 'engine'>, { table, key, where }: Chosen): RawBuilder<boolean> {
  const columns = sql.join(engine === 'sqlite' ? key.map((name) => sql.id(name)) : [sql.id('ctid')]);
  const some = sql`SELECT ${columns} FROM ${sql.table(table)} WHERE ${where} LIMIT ${BATCH_ROWS}`;
  return engine === 'sqlite' ? sql`(${columns}) IN (${some})` : sql`ctid = ANY(ARRAY(${some}))`;
}

/** Removes rows of a table, some at a time. @param signal as of `inBatches`. @returns how many. */
export async function removeInBatches(
  database: Pick<Database, 'engine' | 'kysely'>,
  { lock, ...chosen }: Removal,
  signal?: AbortSignal,
): Promise<number> {
  const remove = sql`DELETE FROM ${sql.table(chosen.table)} WHERE ${batchOf(database, chosen)}`;
  const batch = async (transaction: Transaction<Schema>): Promise<number> => {
    await lock?.(transaction);
    return Number((await remove.execute(transaction)).numAffectedRows ?? 0);
  };
  return inBatches(() => database.kysely.transaction().execute(batch), signal);
}

/** Runs statements that may take longer than a request's: reports and checks over everything. */
export async function withLongTimeout<T>(database: Database, work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
  return work(database.engine === 'sqlite' ? database.kysely : database.longTimeout.kysely);
}
