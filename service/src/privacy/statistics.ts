import { sql } from 'kysely';

import { withLongTimeout } from '../kernel/db/batches.ts';
import type { Database } from '../kernel/db/index.ts';

/**
 * Takes out of PostgreSQL's statistics what an erasure leaves there: samples of the values of each column, which anyone
 * who may read a table reads in `pg_stats`. Nothing else replaces those of a month that has ended.
 *
 * @returns what is left and what to do about it; empty: nothing is.
 */
export async function renewStatistics(database: Database): Promise<string> {
  if (database.engine !== 'postgres') return '';
  return withLongTimeout(database, async (kysely) => {
    // A table's partitions come with it. To a role that may not, ANALYZE only warns.
    const { rows } = await sql<{ name: string; isOwn: boolean }>`
      SELECT relname AS name, pg_has_role(relowner, 'USAGE') AS "isOwn" FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
      ORDER BY relname`.execute(kysely);
    for (const { name } of rows) await sql`ANALYZE ${sql.table(name)}`.execute(kysely);
    return rows.every(({ isOwn }) => isOwn)
      ? ''
      : 'Samples of this data may be left in the statistics of PostgreSQL (pg_stats), which only the owner of the tables can renew: run ANALYZE as this role.\n';
  });
}
