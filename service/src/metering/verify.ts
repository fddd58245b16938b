import { sql } from 'kysely';

import { DAY_MS, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { withLongTimeout } from '../kernel/db/batches.ts';
import { prunedBefore } from './prune.ts';

/** Two records of the same charges with different numbers. */
export type Disagreement =
  /** The month's counter against the sum of the month's ledger. */
  | { kind: 'counter'; subject: string; windowStartMs: number; counter: number; ledger: number }
  /** A row of the ledger against the charged decodes that are stored for that day and key. */
  | { kind: 'ledger'; subject: string; dayStartMs: number; keyId: string; ledger: number; decodes: number };

/** The result of `verifyUsage`. */
interface Verification {
  /** Counters compared, one for each subject and month. */
  counters: number;
  /** Charged decodes compared with the ledger: only those that retention has not pruned. */
  decodes: number;
  disagreements: Disagreement[];
}

/**
 * Compares the three records of usage: for every subject and month the counter with the ledger, and for every day and
 * key the ledger with the stored decodes. Each comparison is one statement, so it sees one moment and may run beside
 * a working service.
 */
export async function verifyUsage(database: Database, nowMs: number = systemClock()): Promise<Verification> {
  return withLongTimeout(database, async (kysely) => {
    // Ids are made a moment before the charge, so the first day after the cut may have lost some: it is left out.
    const from = (await prunedBefore(kysely, nowMs)) + DAY_MS;
    const counters = await sql<Disagreement>`
      SELECT 'counter' AS kind, subject, window_start AS "windowStartMs", sum(counter) AS counter, sum(ledger) AS ledger
      FROM (
        SELECT subject, window_start, used AS counter, 0 AS ledger FROM usage_counters
        UNION ALL SELECT subject, window_start, 0, charged FROM usage_ledger
      ) AS both_records
      GROUP BY subject, window_start HAVING sum(counter) <> sum(ledger) ORDER BY subject, window_start
    `.execute(kysely);
    const ledger = await sql<Disagreement>`
      SELECT 'ledger' AS kind, subject, day_start AS "dayStartMs", key_id AS "keyId",
        sum(ledger) AS ledger, sum(decodes) AS decodes
      FROM (
        SELECT subject, day_start, key_id, charged AS ledger, 0 AS decodes FROM usage_ledger WHERE day_start >= ${from}
        UNION ALL
        SELECT subject, created_at / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)}, coalesce(key_id, ''), 0, 1 FROM decodes
          WHERE charged = 1 AND created_at >= ${from}
      ) AS both_records
      GROUP BY subject, day_start, key_id HAVING sum(ledger) <> sum(decodes) ORDER BY subject, day_start, key_id
    `.execute(kysely);
    const counted = await sql<{ counters: number; decodes: number }>`
      SELECT (SELECT count(*) FROM usage_counters) AS counters,
        (SELECT count(*) FROM decodes WHERE charged = 1 AND created_at >= ${from}) AS decodes
    `.execute(kysely);
    return {
      counters: counted.rows[0]?.counters ?? 0,
      decodes: counted.rows[0]?.decodes ?? 0,
      disagreements: [...counters.rows, ...ledger.rows],
    };
  });
}
