import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ActDeps } from '../kernel/audit/index.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { forgetJob } from '../metering/index.ts';
import { IS_THERE } from './file-pages.ts';

/** Rows removed at a time: a few milliseconds. */
const ROWS_REMOVED = 5_000;

/** The time for which no worker goes on with a removal: longer than any takes. */
const LEASE_MS = MINUTE_MS;

/**
 * Removes a file and its rows, some at a time. Its charges stay. Its first page goes first, and nobody sees it any more:
 * if this is interrupted, a worker goes on.
 */
export async function removeFile({ database, clock }: Pick<ActDeps, 'database' | 'clock'>, id: string): Promise<void> {
  const { kysely } = database;
  const stored = kysely.selectFrom('vin_files').select(['workspace_id', 'row_count']).where('id', '=', id);
  const file = await stored.executeTakeFirst();
  if (file === undefined) return;
  const lease = { locked_by: randomUUID(), locked_until: clock() + LEASE_MS };
  await kysely.transaction().execute(async (transaction) => {
    // A worker that has it stores nothing more of it. It has no room, and no rows that are done.
    const queued = { ...lease, state: 'queued', done: 0, bytes: 0 } as const;
    await transaction.updateTable('vin_files').set(queued).where('id', '=', id).execute();
    // Nobody who asks for an erasure of a VIN would find it any more.
    await forgetJob({ kysely: transaction }, file.workspace_id, id);
    await transaction.deleteFrom('vin_file_pages').where('file_id', '=', id).where('first_row', '=', 0).execute();
  });
  const ranges = Math.ceil(file.row_count / ROWS_REMOVED);
  const below = (range: number): number => (range + 1) * ROWS_REMOVED;
  for (let range = 0; range < ranges; range += 1) {
    await kysely.deleteFrom('vin_file_pages').where('file_id', '=', id).where('first_row', '<', below(range)).execute();
    await nextTurn();
  }
  for (let range = 0; range < ranges; range += 1) {
    await kysely.deleteFrom('vin_file_rows').where('file_id', '=', id).where('row', '<', below(range)).execute();
    await nextTurn();
  }
  await kysely.deleteFrom('vin_files').where('id', '=', id).execute();
}

/**
 * Removes files that are older than the stored decodes that their results need, and those whose removal an earlier
 * version left.
 *
 * @returns their number.
 */
export async function removeOldFiles(database: Database, nowMs: number, retentionDays: number): Promise<number> {
  const old = await database.kysely
    .selectFrom('vin_files')
    .select('id')
    .where((where) => where.or([where('created_at', '<', nowMs - retentionDays * DAY_MS), where.not(IS_THERE)]))
    .execute();
  for (const { id } of old) await removeFile({ database, clock: () => nowMs }, id);
  return old.length;
}
