import { sql } from 'kysely';

import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { monthOf } from '../db/month.ts';
import { type Backlog, type Queues, readBacklogs } from '../jobs/index.ts';

/** The state of the database at one moment. */
export type Snapshot =
  | { kind: 'known'; ledgerMismatches: number; backlogs: readonly Backlog[] }
  /** It does not answer. */
  | { kind: 'unknown' };

/** Scrapers come every few seconds, several at a time. */
const FRESH_MS = 30_000;

/**
 * Reads a snapshot, and keeps it for half a minute. Never rejects.
 *
 * @param failed receives the reason when it is not known.
 */
export function watchSnapshot(
  database: Database,
  clock: Clock,
  queues: Queues,
  failed: (error: unknown) => void,
): () => Promise<Snapshot> {
  let snapshot: Promise<Snapshot> | undefined;
  let readAtMs = 0;
  return () => {
    const nowMs = clock();
    if (snapshot === undefined || nowMs - readAtMs > FRESH_MS) {
      readAtMs = nowMs;
      snapshot = read(database, nowMs, queues).catch((error: unknown): Snapshot => {
        failed(error);
        return { kind: 'unknown' };
      });
    }
    return snapshot;
  };
}

async function read(database: Database, nowMs: number, queues: Queues): Promise<Snapshot> {
  const [ledgerMismatches, backlogs] = await Promise.all([
    countMismatches(database, monthOf(nowMs).startMs),
    readBacklogs(database, nowMs, queues),
  ]);
  return { kind: 'known', ledgerMismatches, backlogs };
}

/**
 * Counts mismatches in one statement, so that it sees one moment: both records are written in one transaction. Summed
 * and not joined: SQLite would compare every counter with every sum, and block every answer meanwhile.
 */
async function countMismatches({ kysely }: Database, windowStartMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (
      SELECT subject
      FROM (
        SELECT subject, used AS counter, 0 AS ledger FROM usage_counters WHERE window_start = ${windowStartMs}
        UNION ALL SELECT subject, 0, charged FROM usage_ledger WHERE window_start = ${windowStartMs}
      ) AS both_records
      GROUP BY subject HAVING sum(counter) <> sum(ledger)
    ) AS mismatches`.execute(kysely);
  return rows[0]?.count ?? 0;
}
