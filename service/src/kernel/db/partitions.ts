import type { Pool, PoolClient } from 'pg';

import { leastUuid7 } from './uuid7.ts';
import { monthAfter } from './month.ts';

/**
 * Months ahead that have a partition: enough for an instance that is never restarted to reach its next retention run.
 */
const MONTHS_AHEAD = 2;

/**
 * Creates the partitions of a table by its UUIDv7 `id` for the current month and the next ones, if they are missing.
 */
export async function ensureMonths(client: Pool | PoolClient, table: string, nowMs: number): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const startMs = monthAfter(nowMs, ahead);
    const name = partitionName(table, startMs);
    const found = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
    if (found.rows[0]?.found === true) continue;
    const from = leastUuid7(startMs);
    const to = leastUuid7(monthAfter(startMs, 1));
    // One message is one transaction. Rows that came before their partition wait in the default one: they move.
    await client.query(`
      SELECT pg_advisory_xact_lock(hashtext('${table}-partitions'));
      CREATE TABLE IF NOT EXISTS ${name} (LIKE ${table} INCLUDING ALL);
      WITH moved AS (DELETE FROM ${table}_default WHERE id >= '${from}' AND id < '${to}' RETURNING *)
        INSERT INTO ${name} SELECT * FROM moved;
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '${name}'::regclass) THEN
          ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
        END IF;
      END $$`);
  }
}

/** Drops the partitions of a table that lie wholly before a moment. Returns how many. */
export async function dropMonths(pool: Pool, table: string, beforeMs: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  );
  const old = rows.filter(({ name }) => name < partitionName(table, beforeMs) && name !== `${table}_default`);
  for (const { name } of old) await pool.query(`DROP TABLE ${name}`);
  return old.length;
}

/** Returns the name of a month's partition; names sort by time, and the default partition's after them all. */
function partitionName(table: string, atMs: number): string {
  return `${table}_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`;
}
