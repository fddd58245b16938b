import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';

/** Returns the reports that were stored under these ids, as JSON, by id. An id without a stored decode has none. */
export async function storedReports(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.kysely.selectFrom('decodes').select(['id', 'report']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, report }) => [id, report]));
}

/** Returns the id of an uncharged decode of a VIN that is stored for a subject since a time. */
export async function unchargedDecode(
  { kysely }: Database,
  subject: string,
  vin: string,
  sinceMs: number,
): Promise<string | undefined> {
  const row = await kysely
    .selectFrom('decodes')
    .select('id')
    .where('subject', '=', subject)
    .where('vin', '=', vin)
    // A literal: SQLite takes the index of uncharged decodes for no parameter.
    .where('charged', '=', sql.lit(0))
    .where('created_at', '>=', sinceMs)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns the counter of a subject. */
export async function usedBy(
  { kysely }: Pick<Database, 'kysely'>,
  subject: string,
  windowStartMs: number,
): Promise<number> {
  const row = await kysely
    .selectFrom('usage_counters')
    .select('used')
    .where('subject', '=', subject)
    .where('window_start', '=', windowStartMs)
    .executeTakeFirst();
  return row?.used ?? 0;
}

/** Returns those of the ids that are a subject's charged decodes. */
export async function chargedAmong(
  { kysely }: Database,
  subject: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = kysely.selectFrom('decodes').select('id').where('id', 'in', ids).where('subject', '=', subject);
  return new Set((await found.where('charged', '=', 1).execute()).map(({ id }) => id));
}
