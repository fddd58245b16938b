import { randomUUID } from 'node:crypto';

import { type Kysely, type RawBuilder, sql } from 'kysely';

import { DAY_MS } from '../clock.ts';
import type { Database, Schema } from '../db/index.ts';
import type { LEASE_COLUMNS } from '../db/job-columns.ts';
import type { RowOf } from '../db/table.ts';
import { type Claimed, type JobOutcome, Worker, type WorkerOptions } from './worker.ts';

export type { JobOutcome, JobWatcher } from './worker.ts';
export { type Claimed, Worker, type WorkerOptions } from './worker.ts';

/** The tables whose rows are jobs: each has the columns of `LEASE_COLUMNS`. */
type JobTable = {
  [Table in keyof Schema]: Schema[Table] extends RowOf<typeof LEASE_COLUMNS> ? Table : never;
}[keyof Schema];

/** A claim of jobs. */
interface ClaimRequest {
  table: JobTable;
  /** The column that names a job. */
  key: string;
  /** Jobs to claim at most. */
  limit: number;
  nowMs: number;
  /**
   * The time that the worker may take, with a margin for clocks that differ. After that any worker may claim the job.
   */
  leaseMs: number;
  /** True for jobs whose first attempt is always due at once: a clock that was ahead does not put it off. */
  isFirstDue?: boolean;
  /** A condition on jobs besides being due and free; undefined: none. */
  where?: RawBuilder<boolean>;
  /** The order of jobs; undefined: the one that has been due longest comes first. */
  orderBy?: RawBuilder<unknown>;
}

/** A lease on one job. A worker that lost it changes nothing. */
export interface Lease {
  key: string;
  lockedBy: string;
}

/** Claims due jobs that no other worker has. */
export async function claim(
  kysely: Kysely<Schema>,
  engine: Database['engine'],
  { table, key, limit, nowMs, leaseMs, isFirstDue = false, where, orderBy }: ClaimRequest,
): Promise<Lease[]> {
  if (limit <= 0) return [];
  const lockedBy = randomUUID();
  const name = sql.ref(key);
  const isDue = isFirstDue ? sql`(run_at <= ${nowMs} OR attempts = 0)` : sql`run_at <= ${nowMs}`;
  const isFree = sql`${isDue} AND locked_until <= ${nowMs}`;
  const { rows } = await sql<{ key: string }>`
    UPDATE ${sql.table(table)} SET locked_by = ${lockedBy}, locked_until = ${nowMs + leaseMs}
    WHERE ${name} IN (
      SELECT ${name} FROM ${sql.table(table)} AS job
      WHERE ${isFree} AND ${where ?? sql`1 = 1`}
      ORDER BY ${orderBy ?? sql`run_at`} LIMIT ${limit}
      ${engine === 'postgres' ? sql`FOR NO KEY UPDATE OF job SKIP LOCKED` : sql``}
    ) AND ${isFree}
    RETURNING ${name} AS key`.execute(kysely);
  return rows.map((row) => ({ key: row.key, lockedBy }));
}

/** Claims jobs that need nothing but their lease. @returns them, and when more may be claimed. */
export async function claimLeases({ kysely, engine }: Database, request: ClaimRequest): Promise<Claimed<Lease>> {
  const jobs = await claim(kysely, engine, request);
  const { table, nowMs, where } = request;
  return { jobs, notBeforeMs: jobs.length > 0 ? nowMs : await nextRunAt(kysely, table, where) };
}

/** Returns the time when the next unclaimed job is due; infinity: there is none. Locks nothing. */
export async function nextRunAt(
  kysely: Kysely<Schema>,
  table: JobTable,
  where: RawBuilder<boolean> = sql`1 = 1`,
): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT min(CASE WHEN run_at > locked_until THEN run_at ELSE locked_until END) AS at
    FROM ${sql.table(table)} AS job WHERE ${where}`.execute(kysely);
  return rows[0]?.at ?? Infinity;
}

/** Returns the change that ends a lease; `runAtMs` is the time when the job may begin again. */
export function released(runAtMs: number): { run_at: number; locked_by: null; locked_until: 0 } {
  return { run_at: runAtMs, locked_by: null, locked_until: 0 };
}

/** The growth of pauses between attempts. */
interface Backoff {
  /** The longest pause before the second attempt; doubled for each further one. */
  firstMs: number;
  mostMs: number;
}

/**
 * Returns the pause before the next attempt: twice as long each time, half of it at random, so that jobs that failed
 * together do not come back together.
 *
 * @param attempts the number of failures, at least 1.
 * @param random at least 0, below 1.
 */
export function backoffMs(attempts: number, random: number, { firstMs, mostMs }: Backoff): number {
  const longestMs = Math.min(firstMs * 2 ** (attempts - 1), mostMs);
  return Math.ceil(longestMs * (0.5 + random / 2));
}

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

/** Recurring work: runs once for all instances together. */
export interface Schedule {
  name: string;
  everyMs: number;
  run: () => Promise<void>;
}

/** Longer than the slowest schedule takes: until then no other instance begins it. */
const LEASE_MS = 60 * 60_000;
const POLL_MS = 30_000;
const BACKOFF = { firstMs: 60_000, mostMs: 60 * 60_000 };

/**
 * The greatest lateness at which a schedule runs. One that is later waits for a day: either no instance ran for so long,
 * or the clock is ahead, and what removes old data would remove all of it. By then a wrong clock is noticed and set.
 */
const LATE_MS = 7 * DAY_MS;
const LATE =
  'Due for more than a week by this clock, so it waits for a day. If the service ran in that week, the clock is ahead: set it';

/** The dependencies of a worker of schedules. */
type Parts = Pick<WorkerOptions<Lease>, 'clock' | 'clockFault' | 'log' | 'watch'> & { database: Database };

/**
 * Returns a worker that runs each schedule when it is due; one that never ran is due at once. None runs while the clock
 * seems to be wrong.
 */
export function scheduleWorker(deps: Parts, schedules: readonly Schedule[]): Worker<Lease> {
  const { database, clock } = deps;
  let known: Promise<void> | undefined;
  return new Worker<Lease>({
    ...deps,
    queue: 'schedules',
    concurrency: 1,
    pollMs: POLL_MS,
    claim: async (limit) => {
      known ??= insertMissing(database, schedules, clock());
      await known.catch(() => (known = undefined));
      await endFarPauses(database, clock());
      return claimLeases(database, { table: 'schedules', key: 'name', limit, nowMs: clock(), leaseMs: LEASE_MS });
    },
    run: (lease) => runSchedule(deps, schedules, lease),
  });
}

async function insertMissing({ kysely }: Database, schedules: readonly Schedule[], nowMs: number): Promise<void> {
  if (schedules.length === 0) return;
  await kysely
    .insertInto('schedules')
    .values(schedules.map(({ name }) => ({ name, run_at: nowMs })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Makes due what a clock that was ahead put off further than any pause lasts. */
async function endFarPauses({ kysely }: Database, nowMs: number): Promise<void> {
  await kysely
    .updateTable('schedules')
    .set({ run_at: nowMs })
    .where('run_at', '>', nowMs + LATE_MS)
    .execute();
}

async function runSchedule(
  { database, clock, log }: Parts,
  schedules: readonly Schedule[],
  { key, lockedBy }: Lease,
): Promise<JobOutcome> {
  const own = database.kysely.updateTable('schedules').where('name', '=', key).where('locked_by', '=', lockedBy);
  const schedule = schedules.find(({ name }) => name === key);
  if (schedule === undefined) {
    // Another version's, or one that is switched off here: an instance that has it looks again soon.
    await own.set(released(clock() + POLL_MS)).execute();
    return 'released';
  }
  const before = await database.kysely
    .selectFrom('schedules')
    .select(['run_at', 'attempts', 'last_error'])
    .where('name', '=', key)
    .executeTakeFirst();
  const attempts = (before?.attempts ?? 0) + 1;
  if (before !== undefined && clock() - before.run_at > LATE_MS && before.last_error !== LATE) {
    log.warn({ schedule: key, dueAt: new Date(before.run_at).toISOString() }, LATE);
    await own.set({ ...released(clock() + DAY_MS), attempts, last_error: LATE }).execute();
    return 'released';
  }
  try {
    await schedule.run();
    await own.set({ ...released(clock() + schedule.everyMs), attempts: 0, last_error: null }).execute();
    return 'completed';
  } catch (error) {
    log.warn({ err: error, schedule: key }, 'a scheduled job failed and will be retried');
    const runAtMs = clock() + backoffMs(attempts, Math.random(), BACKOFF);
    await own.set({ ...released(runAtMs), attempts, last_error: String(error).slice(0, 500) }).execute();
    return 'failed';
  }
}
