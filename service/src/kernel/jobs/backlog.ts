import { type RawBuilder, sql } from 'kysely';

import type { Database } from '../db/index.ts';

/** What a queue still has to do. */
export interface Backlog {
  queue: string;
  /** Jobs that are not done, those that wait for their next attempt included. */
  pending: number;
  /** For how long the oldest unclaimed job has been due; 0: none is. */
  overdueSeconds: number;
  /** Jobs whose last attempt failed: they are tried again. */
  retrying: number;
  /** Why an attempt of them failed; undefined: none did. */
  lastError: string | undefined;
}

/** Each queue with its jobs, as rows of when each may run and until when it is leased. */
const QUEUES: Readonly<Record<string, RawBuilder<unknown>>> = {
  mail: sql`SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM mail_outbox`,
  enrichment: sql`SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM enrichment_jobs`,
  files: sql`SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM vin_files WHERE state IN ('queued', 'running')`,
  schedules: sql`SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM schedules`,
  // What is due at an endpoint that is left alone after failures, or whose workspace is suspended, is not overdue.
  webhooks: sql`
    SELECT d.run_at, e.locked_until, d.attempts, d.last_error, CASE WHEN e.failures = 0 AND w.suspended_at IS NULL THEN 1 ELSE 0 END AS counts
    FROM webhook_deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    JOIN workspaces AS w ON w.id = e.workspace_id
    WHERE d.run_at IS NOT NULL`,
};

/** PostgreSQL gives counts as text. */
interface Counts {
  pending: number | string;
  due: number | string | null;
  retrying: number | string;
  error: string | null;
}

/** Every queue's backlog. */
export async function readBacklogs({ kysely }: Database, nowMs: number): Promise<Backlog[]> {
  return Promise.all(
    Object.entries(QUEUES).map(async ([queue, jobs]) => {
      const { rows } = await sql<Counts>`
        SELECT count(*) AS pending,
          min(CASE WHEN counts = 1 AND run_at <= ${nowMs} AND locked_until <= ${nowMs} THEN run_at END) AS due,
          count(CASE WHEN attempts > 0 THEN 1 END) AS retrying,
          max(CASE WHEN attempts > 0 THEN last_error END) AS error
        FROM (${jobs}) AS jobs`.execute(kysely);
      const due = rows[0]?.due ?? null;
      const overdueSeconds = due === null ? 0 : (nowMs - Number(due)) / 1000;
      return {
        queue,
        pending: Number(rows[0]?.pending ?? 0),
        overdueSeconds,
        retrying: Number(rows[0]?.retrying ?? 0),
        lastError: rows[0]?.error ?? undefined,
      };
    }),
  );
}
