import { randomUUID } from 'node:crypto';

import { type Kysely, type RawBuilder, sql } from 'kysely';

import { MINUTE_MS } from '../clock.ts';
import type { Database, Schema } from '../db/index.ts';
import type { LEASE_COLUMNS } from '../db/job-columns.ts';
import type { RowOf } from '../db/table.ts';
import type { Claimed } from './worker.ts';

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
  { table, key, limit, nowMs, leaseMs, where, orderBy }: ClaimRequest,
): Promise<Lease[]> {
  if (limit <= 0) return [];
  const lockedBy = randomUUID();
  const name = sql.ref(key);
  const isFree = sql`run_at <= ${nowMs} AND locked_until <= ${nowMs}`;
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

/** The longest pauses of the jobs of a table. */
interface LongestPauses {
  table: JobTable | 'webhook_deliveries';
  /** Before the first attempt, where the table counts attempts. */
  firstMs?: number;
  mostMs: number;
  /** A further condition on the jobs that are put off too far; undefined: none. */
  where?: RawBuilder<boolean>;
}

/** Clocks of instances may differ by so much. */
export const CLOCKS_DIFFER_MS = MINUTE_MS;

/** Makes due what a clock that was ahead put off further than any pause lasts. */
export async function endFarPauses(kysely: Kysely<Schema>, longest: LongestPauses, nowMs: number): Promise<void> {
  const { table, firstMs, mostMs, where = sql`1 = 1` } = longest;
  const latestMs = nowMs + CLOCKS_DIFFER_MS;
  const isFirst = firstMs === undefined ? sql`` : sql`OR (attempts = 0 AND run_at > ${latestMs + firstMs})`;
  const isFar = sql`run_at > ${latestMs + mostMs} ${isFirst}`;
  await sql`UPDATE ${sql.table(table)} SET run_at = ${nowMs} WHERE (${isFar}) AND ${where}`.execute(kysely);
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
