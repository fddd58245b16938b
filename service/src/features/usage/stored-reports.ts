import type { Database } from '../../platform/db/index.ts';

/** The reports that were stored under these ids, as JSON, by id. An id without a stored decode has none. */
export async function storedReports(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.kysely.selectFrom('decodes').select(['id', 'report']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, report }) => [id, report]));
}
