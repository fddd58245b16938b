import { randomUUID } from 'node:crypto';

import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { Database, Schema } from '../db/index.ts';
import type { LEASE_COLUMNS } from '../db/job-columns.ts';
import type { RowOf } from '../db/table.ts';
import type { Claimed } from './worker.ts';

/** The tables whose rows are jobs: each has the columns of `LEASE_COLUMNS`. */
export type JobTable = {
  [Table in keyof Schema]: Schema[Table] extends RowOf<typeof LEASE_COLUMNS> ? Table : never;
}[keyof Schema];

/** What to claim. */
export interface ClaimRequest {
  table: JobTable;
  /** The column that names a job. */
  key: string;
  /** Jobs to claim at most. */
  limit: number;
  nowMs: number;
  /** How long the worker may take, with a margin for clocks that differ. After that any worker may claim the job. */
  leaseMs: number;
  /** Which jobs, beyond those that are due and free; undefined: all. */
  where?: RawBuilder<boolean>;
  /** Which first; undefined: the one that has been due longest. */
  orderBy?: RawBuilder<unknown>;
}

/** A lease on one job. A worker that lost it changes nothing. */
export interface Lease {
  key: string;
  lockedBy: string;
}

/** Claims jobs that are due and free, so that no other worker has them meanwhile. */
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

/** When the next unclaimed job is due; infinity: there is none. Locks nothing. */
export async function nextRunAt(
  kysely: Kysely<Schema>,
  table: JobTable,
  where: RawBuilder<boolean> = sql`1 = 1`,
): Promise<number> {
  const { rows } = await sql<{ at: number | string | null }>`
    SELECT min(CASE WHEN run_at > locked_until THEN run_at ELSE locked_until END) AS at
    FROM ${sql.table(table)} AS job WHERE ${where}`.execute(kysely);
  const at = rows[0]?.at ?? null;
  return at === null ? Infinity : Number(at);
}

/** The change that ends a lease; `runAtMs` is when the job may begin again. */
export function released(runAtMs: number): { run_at: number; locked_by: null; locked_until: 0 } {
  return { run_at: runAtMs, locked_by: null, locked_until: 0 };
}
