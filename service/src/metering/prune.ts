import type { Kysely } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { dayOf, monthOf } from '../kernel/db/month.ts';
import { dropMonths, ensureMonths } from '../kernel/db/partitions.ts';
import { inBatches, BATCH_ROWS } from '../kernel/db/batches.ts';
import { readSetting, writeSetting } from '../kernel/db/settings.ts';

const PRUNED_BEFORE = 'decodes_pruned_before';

/** The number of rows that pruning removed. */
interface Pruned {
  decodes: number;
  /** Monthly partitions dropped whole; only on PostgreSQL. */
  partitions: number;
  idempotencyRecords: number;
}

/**
 * Removes rows that have outlived their retention: stored decodes after `retentionDays`, idempotency records after
 * their day, thresholds after their month, and the secrets of past months behind the names of public clients. Counters
 * and ledger stay. On PostgreSQL it also makes the next months' partitions. Any instance may run it at any time,
 * several at once too; once a day is enough.
 *
 * @param signal ends it before all is removed.
 * @throws Error when others read decodes on PostgreSQL, and would keep all charges waiting, or when a new month cannot be
 *   made in time beside a large default partition; the rest is removed.
 */
export async function prune(
  database: Database,
  nowMs: number,
  retentionDays: number,
  signal?: AbortSignal,
): Promise<Pruned> {
  const cutMs = dayOf(nowMs - retentionDays * DAY_MS);
  const { kysely } = database;
  // Noted before anything is removed, so that a comparison never misses rows that were just pruned.
  await writeSetting(kysely, PRUNED_BEFORE, String(Math.max(cutMs, await prunedBefore(kysely, nowMs))));
  const months = await pruneMonths(database, cutMs);
  // Those before it are gone, or still in the index until PostgreSQL vacuums it.
  let after = '';
  const decodes = await inBatches(async () => {
    // Row by row, a month would take hours.
    if (months.isInUse) return 0;
    const batch = kysely.selectFrom('decodes').select('id').where('id', '<', leastUuid7(cutMs));
    const ids = await batch.where('id', '>', after).orderBy('id').limit(BATCH_ROWS).execute();
    const known = ids.map(({ id }) => id);
    const last = known.at(-1);
    if (last === undefined) return 0;
    after = last;
    await kysely.deleteFrom('decodes').where('id', 'in', known).execute();
    return ids.length;
  }, signal);
  const idempotencyRecords = await inBatches(async () => {
    const expired = kysely.selectFrom('idempotency').select('expires_at').where('expires_at', '<=', nowMs);
    const batch = await expired.orderBy('expires_at').limit(BATCH_ROWS).execute();
    const last = batch.at(-1);
    if (last === undefined) return 0;
    const deleted = kysely.deleteFrom('idempotency').where('expires_at', '<=', last.expires_at);
    return Number((await deleted.executeTakeFirst()).numDeletedRows);
  }, signal);
  // A day's grace: another instance's clock may still be in the month before.
  const oldestMonthMs = monthOf(nowMs - DAY_MS).startMs;
  await kysely.deleteFrom('public_secrets').where('window_start', '<', oldestMonthMs).execute();
  await kysely
    .deleteFrom('usage_thresholds')
    .where('handled_at', 'is not', null)
    .where('window_start', '<', oldestMonthMs)
    .execute();
  const areMade = await makeMonths(database, nowMs);
  if (months.isInUse || !areMade) throw new Error(IN_USE);
  return { decodes, partitions: months.dropped, idempotencyRecords };
}

const IN_USE = 'The decodes are being read, as by a backup: months are made and removed by the next try.';

async function pruneMonths(database: Database, cutMs: number): Promise<{ dropped: number; isInUse: boolean }> {
  if (database.engine === 'sqlite') return { dropped: 0, isInUse: false };
  return dropMonths(database.pool, 'decodes', cutMs);
}

async function makeMonths(database: Database, nowMs: number): Promise<boolean> {
  return database.engine === 'sqlite' || ensureMonths(database.pool, 'decodes', nowMs);
}

/**
 * Returns the moment before which stored decodes may be gone; 0 when nothing was ever pruned. A moment that has not come
 * yet is of a clock that was ahead: the oldest decode that is left tells how far it reached.
 */
export async function prunedBefore(kysely: Kysely<Schema>, nowMs: number): Promise<number> {
  const noted = Number((await readSetting(kysely, PRUNED_BEFORE)) ?? 0);
  if (noted <= nowMs) return noted;
  const oldest = await kysely.selectFrom('decodes').select('created_at').orderBy('id').limit(1).executeTakeFirst();
  return dayOf(Math.min(oldest?.created_at ?? nowMs, nowMs));
}
