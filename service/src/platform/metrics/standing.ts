import { sql } from 'kysely';

import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { monthOf } from '../db/month.ts';

/** How the database stands. */
export type Standing =
  | {
      kind: 'known';
      ledgerMismatches: number;
      enrichmentWaiting: number;
      enrichmentOldestSeconds: number;
      webhooksWaiting: number;
      webhooksOverdueSeconds: number;
    }
  /** It does not answer. */
  | { kind: 'unknown' };

/** Scrapers come every few seconds, several at a time. */
const FRESH_MS = 30_000;

/**
 * Asks how the database stands, and remembers the answer for half a minute. Never rejects.
 *
 * @param failed hears why it is not known.
 */
export function watchStanding(
  database: Database,
  clock: Clock,
  failed: (error: unknown) => void,
): () => Promise<Standing> {
  let asked: Promise<Standing> | undefined;
  let askedAtMs = 0;
  return () => {
    const nowMs = clock();
    if (asked === undefined || nowMs - askedAtMs > FRESH_MS) {
      askedAtMs = nowMs;
      asked = ask(database, nowMs).catch((error: unknown): Standing => {
        failed(error);
        return { kind: 'unknown' };
      });
    }
    return asked;
  };
}

async function ask(database: Database, nowMs: number): Promise<Standing> {
  const [ledgerMismatches, { count, oldest }, webhooks] = await Promise.all([
    countMismatches(database, monthOf(nowMs).startMs),
    waitingIn(database),
    webhooksIn(database, nowMs),
  ]);
  return {
    kind: 'known',
    ledgerMismatches,
    enrichmentWaiting: count,
    enrichmentOldestSeconds: oldest === null ? 0 : Math.max(0, nowMs - oldest) / 1000,
    ...webhooks,
  };
}

/**
 * One statement, so that it sees one moment: both records are written in one transaction. Summed and not joined: SQLite
 * would compare every counter with every sum, and nobody is answered meanwhile.
 */
async function countMismatches({ kysely }: Database, windowStartMs: number): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`
    SELECT count(*) AS count
    FROM (
      SELECT subject
      FROM (
        SELECT subject, used AS counter, 0 AS ledger FROM usage_counters WHERE window_start = ${windowStartMs}
        UNION ALL SELECT subject, 0, charged FROM usage_ledger WHERE window_start = ${windowStartMs}
      ) AS both_records
      GROUP BY subject HAVING sum(counter) <> sum(ledger)
    ) AS mismatches`.execute(kysely);
  return Number(rows[0]?.count ?? 0);
}

async function waitingIn({ kysely }: Database): Promise<{ count: number; oldest: number | null }> {
  const row = await kysely
    .selectFrom('enrichment_jobs')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .executeTakeFirst();
  const oldest: number | null = row?.oldest ?? null;
  return { count: row?.count ?? 0, oldest };
}

/** What is due at an endpoint that is left alone after failures is not overdue: its rest is. */
async function webhooksIn(
  { kysely }: Database,
  nowMs: number,
): Promise<{ webhooksWaiting: number; webhooksOverdueSeconds: number }> {
  const waiting = await kysely
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  const overdue = await kysely
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
    .select(({ fn }) => fn.min('d.due_at').as('dueAt'))
    .where('d.due_at', '<=', nowMs)
    .where('e.failures', '=', 0)
    .where('w.suspended_at', 'is', null)
    .executeTakeFirst();
  const dueAtMs = overdue?.dueAt ?? nowMs;
  return { webhooksWaiting: waiting?.count ?? 0, webhooksOverdueSeconds: (nowMs - dueAtMs) / 1000 };
}
