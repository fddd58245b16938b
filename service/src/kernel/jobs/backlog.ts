import { sql } from 'kysely';

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

/**
 * Queues by name, each as SQL that gives a row for each job that is not done: `run_at`, `locked_until`, `attempts`, `last_error`, and
 * `counts`, 0 for a job that is not overdue however long it waits.
 */
export type Queues = Readonly<Record<string, string>>;

const OWN_QUEUES: Queues = {
  mail: 'SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM mail_outbox',
  schedules: 'SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM schedules',
};

/** PostgreSQL gives counts as text. */
interface Counts {
  pending: number | string;
  due: number | string | null;
  retrying: number | string;
  error: string | null;
}

/** The backlog of the kernel's queues and of others. */
export async function readBacklogs({ kysely }: Database, nowMs: number, queues: Queues = {}): Promise<Backlog[]> {
  return Promise.all(
    Object.entries({ ...OWN_QUEUES, ...queues }).map(async ([queue, jobs]) => {
      const { rows } = await sql<Counts>`
        SELECT count(*) AS pending,
          min(CASE WHEN counts = 1 AND run_at <= ${nowMs} AND locked_until <= ${nowMs} THEN run_at END) AS due,
          count(CASE WHEN attempts > 0 THEN 1 END) AS retrying,
          max(CASE WHEN attempts > 0 THEN last_error END) AS error
        FROM (${sql.raw(jobs)}) AS jobs`.execute(kysely);
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
