import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';

/** Removes files that are older than the stored decodes that their results are made of. @returns how many. */
export async function removeOldFiles({ kysely }: Database, nowMs: number, retentionDays: number): Promise<number> {
  const gone = await kysely
    .deleteFrom('vin_files')
    .where('created_at', '<', nowMs - retentionDays * DAY_MS)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
