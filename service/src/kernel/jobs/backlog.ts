import { sql } from 'kysely';

import type { Database } from '../db/index.ts';

/** The remaining work of a queue. */
export interface Backlog {
  queue: string;
  /** Unfinished jobs, including those that wait for their next attempt. */
  pending: number;
  /** The time for which the oldest unclaimed job has been due; 0: none is. */
  overdueSeconds: number;
  /** Jobs whose last attempt failed: they are tried again. */
  retrying: number;
  /** The reason for the last failure of an attempt; undefined: none failed. */
  lastError: string | undefined;
}

/**
 * Queues by name, each as SQL that gives a row for each job that is not done: `run_at`, `locked_until`, `attempts`,
 * `last_error`, and `counts`, 0 for a job that is not overdue however long it waits.
 */
export type Queues = Readonly<Record<string, string>>;

const OWN_QUEUES: Queues = {
  mail: 'SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM mail_outbox',
  schedules: 'SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM schedules',
};

interface Counts {
  pending: number;
  due: number | null;
  retrying: number;
  error: string | null;
}

/** Returns the backlog of the kernel's queues and of others. */
export async function readBacklogs({ kysely }: Database, nowMs: number, queues: Queues = {}): Promise<Backlog[]> {
  return Promise.all(
    Object.entries({ ...OWN_QUEUES, ...queues }).map(async ([queue, jobs]) => {
      const { rows } = await sql<Counts>`
        SELECT count(*) AS pending,
          min(CASE WHEN counts = 1 AND run_at <= ${nowMs} AND locked_until <= ${nowMs} THEN run_at END) AS due,
          count(CASE WHEN attempts > 0 THEN 1 END) AS retrying,
          max(CASE WHEN attempts > 0 THEN last_error END) AS error
        FROM (${sql.raw(jobs)}) AS jobs`.execute(kysely);
      return {
        queue,
        pending: rows[0]?.pending ?? 0,
        overdueSeconds: (nowMs - (rows[0]?.due ?? nowMs)) / 1000,
        retrying: rows[0]?.retrying ?? 0,
        lastError: rows[0]?.error ?? undefined,
      };
    }),
  );
}
