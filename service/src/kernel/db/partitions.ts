import { DatabaseError, type Pool, type PoolClient } from 'pg';

import { leastUuid7 } from './uuid7.ts';
import { monthAfter } from './month.ts';

/**
 * Months ahead that have a partition: enough for an instance that is never restarted to reach its next retention run.
 */
const MONTHS_AHEAD = 2;

/**
 * Limit on the wait for a lock. Partitions are made and dropped while nobody reads the table, and all charges would wait
 * behind a backup: it is given up soon, and tried again by the next run.
 */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '200ms'";

/** Runs statements as one message, which is one transaction. @returns whether it got its locks in time. */
async function runLocking(client: Pool | PoolClient, statements: string, limits = 'SELECT 1'): Promise<boolean> {
  try {
    await client.query(`${limits}; ${LOCK_TIMEOUT}; ${statements}`);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the partitions of a table by its UUIDv7 `id` for the current month and the next ones, if they are missing.
 * @param limits a statement that sets other time limits than the connection's: a large default partition takes long.
 * @returns false if others use the table: until there is one, its rows go to the default partition.
 */
export async function ensureMonths(
  client: Pool | PoolClient,
  table: string,
  nowMs: number,
  limits?: string,
): Promise<boolean> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const startMs = monthAfter(nowMs, ahead);
    const name = partitionName(table, startMs);
    const found = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
    if (found.rows[0]?.found === true) continue;
    if (!(await runLocking(client, monthStatements(table, startMs), limits))) return false;
  }
  return true;
}

/** Returns the statements that create the partition of the month that begins then, if it is missing. */
export function monthStatements(table: string, startMs: number): string {
  const name = partitionName(table, startMs);
  const from = leastUuid7(startMs);
  const to = leastUuid7(monthAfter(startMs, 1));
  // Rows that came before their partition wait in the default one: they move.
  return `
    SELECT pg_advisory_xact_lock(hashtext('${table}-partitions'));
    CREATE TABLE IF NOT EXISTS ${name} (LIKE ${table} INCLUDING ALL);
    WITH moved AS (DELETE FROM ${table}_default WHERE id >= '${from}' AND id < '${to}' RETURNING *)
      INSERT INTO ${name} SELECT * FROM moved;
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '${name}'::regclass) THEN
        ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
      END IF;
    END $$`;
}

/** Returns the month, by its start, that an id belongs to; undefined: it is no UUIDv7, or one of the future. */
export function monthOfId(id: string, nowMs: number): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const startMs = monthAfter(Number.parseInt(high + low, 16), 0);
  return startMs <= nowMs ? startMs : undefined;
}

/**
 * Drops the partitions of a table that lie wholly before a moment. Returns how many, and whether others use the table,
 * so that some are left.
 */
export async function dropMonths(
  pool: Pool,
  table: string,
  beforeMs: number,
): Promise<{ dropped: number; isInUse: boolean }> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  );
  const old = rows.filter(({ name }) => name < partitionName(table, beforeMs) && name !== `${table}_default`);
  for (const [dropped, { name }] of old.entries()) {
    if (!(await runLocking(pool, `DROP TABLE ${name}`))) return { dropped, isInUse: true };
  }
  return { dropped: old.length, isInUse: false };
}

/** Returns the name of a month's partition; names sort by time, and the default partition's after them all. */
function partitionName(table: string, atMs: number): string {
  return `${table}_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`;
}
