import { sql } from 'kysely';

import { withLongTimeout } from '../kernel/db/batches.ts';
import type { Database } from '../kernel/db/index.ts';

/**
 * Takes out of PostgreSQL's statistics what an erasure leaves there: samples of the values of each column, which anyone
 * who may read a table reads in `pg_stats`. Nothing else replaces those of a month that has ended.
 */
export async function renewStatistics(database: Database): Promise<void> {
  if (database.engine !== 'postgres') return;
  await withLongTimeout(database, async (kysely) => {
    // A table's partitions come with it.
    const { rows } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
      ORDER BY relname`.execute(kysely);
    for (const { name } of rows) await sql`ANALYZE ${sql.table(name)}`.execute(kysely);
  });
}
