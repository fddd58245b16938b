import { setImmediate as nextTurn } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';

/** The subjects of public clients begin with `public:` and come before this; others begin with `test:` and `workspace:`. */
const AFTER_PUBLIC = 'public;';

/**
 * Rows of the ledger, of all months, that are gone through at once: about two milliseconds of SQLite's in this thread.
 * PostgreSQL holds nobody up meanwhile.
 */
const ROWS = { sqlite: 5_000, postgres: 100_000 };

/**
 * Counts the accounts of usage whose counter differs from their ledger this month, some at a time: the ledger is in the
 * order of accounts, so that all of their months are gone through. Each account is compared in one statement, so that it
 * sees one moment: both records are written in one transaction. Summed and not joined: SQLite would compare every
 * counter with every sum. Public clients are left to `db verify`: nobody pays for them, and there may be hundreds of
 * thousands.
 *
 * @param size rows at once: tests set their own.
 */
export async function countMismatches(
  database: Database,
  nowMs: number,
  size = ROWS[database.engine],
): Promise<number> {
  const windowStartMs = monthOf(nowMs).startMs;
  let count = 0;
  let after = AFTER_PUBLIC;
  for (;;) {
    const { rows } = await sql<{ subject: string }>`
      SELECT subject FROM usage_ledger WHERE subject > ${after}
      ORDER BY subject LIMIT 1 OFFSET ${size - 1}`.execute(database.kysely);
    const last = rows[0]?.subject;
    count += await countBetween(database, windowStartMs, after, last);
    if (last === undefined) return count;
    after = last;
    await nextTurn();
  }
}

/** Compares the accounts after one, up to and with another, or to the end. */
async function countBetween(
  { kysely }: Database,
  windowStartMs: number,
  after: string,
  last: string | undefined,
): Promise<number> {
  const between = sql`subject > ${after} ${last === undefined ? sql`` : sql`AND subject <= ${last}`}`;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (
      SELECT subject
      FROM (
        SELECT subject, used AS counter, 0 AS ledger FROM usage_counters
          WHERE ${between} AND window_start = ${windowStartMs}
        UNION ALL SELECT subject, 0, charged FROM usage_ledger
          WHERE ${between} AND window_start = ${windowStartMs}
      ) AS both_records
      GROUP BY subject HAVING sum(counter) <> sum(ledger)
    ) AS mismatches`.execute(kysely);
  return rows[0]?.count ?? 0;
}
