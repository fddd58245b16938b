import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ActDeps } from '../kernel/audit/index.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { forgetJob } from '../metering/index.ts';

/** Rows removed at a time: a few milliseconds. */
const ROWS_REMOVED = 5_000;

/**
 * Removes a file and its rows, some at a time. Its charges stay. Its pages go first: if this is interrupted, the file is
 * empty, and can be removed again.
 */
export async function removeFile({ database }: Pick<ActDeps, 'database'>, id: string): Promise<void> {
  const { kysely } = database;
  const stored = kysely.selectFrom('vin_files').select(['workspace_id', 'row_count']).where('id', '=', id);
  const file = await stored.executeTakeFirst();
  if (file === undefined) return;
  // Nobody who asks for an erasure of a VIN would find it any more.
  await forgetJob(database, file.workspace_id, id);
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

/** Removes files that are older than the stored decodes that their results need. @returns their number. */
export async function removeOldFiles(database: Database, nowMs: number, retentionDays: number): Promise<number> {
  const old = await database.kysely
    .selectFrom('vin_files')
    .select('id')
    .where('created_at', '<', nowMs - retentionDays * DAY_MS)
    .execute();
  for (const { id } of old) await removeFile({ database }, id);
  return old.length;
}
