import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';

/** The subjects of public clients begin with `public:` and come before this; others begin with `test:` and `workspace:`. */
const AFTER_PUBLIC = 'public;';

/**
 * Counts the accounts of usage whose counter differs from their ledger this month, in one statement, so that it sees
 * one moment: both records are written in one transaction. Summed and not joined: SQLite would compare every counter
 * with every sum, and block every answer meanwhile. Public clients are left to `db verify`: nobody pays for them, and
 * there may be hundreds of thousands.
 */
export async function countMismatches({ kysely }: Database, nowMs: number): Promise<number> {
  const windowStartMs = monthOf(nowMs).startMs;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (
      SELECT subject
      FROM (
        SELECT subject, used AS counter, 0 AS ledger FROM usage_counters
          WHERE subject > ${AFTER_PUBLIC} AND window_start = ${windowStartMs}
        UNION ALL SELECT subject, 0, charged FROM usage_ledger
          WHERE subject > ${AFTER_PUBLIC} AND window_start = ${windowStartMs}
      ) AS both_records
      GROUP BY subject HAVING sum(counter) <> sum(ledger)
    ) AS mismatches`.execute(kysely);
  return rows[0]?.count ?? 0;
}
