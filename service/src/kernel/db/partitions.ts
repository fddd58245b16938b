import type { Pool, PoolClient } from 'pg';

import { leastDecodeId } from './decode-id.ts';
import { monthAfter } from './month.ts';

/** Months ahead that have a partition: enough for an instance that is never restarted to reach its next retention run. */
const MONTHS_AHEAD = 2;

/** Creates the partitions of `decodes` for the current month and the next ones, if they are missing. */
export async function ensurePartitions(client: Pool | PoolClient, nowMs: number): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const startMs = monthAfter(nowMs, ahead);
    const name = partitionName(startMs);
    const found = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
    if (found.rows[0]?.found === true) continue;
    const from = leastDecodeId(startMs);
    const to = leastDecodeId(monthAfter(startMs, 1));
    // One message is one transaction. Rows that came before their partition wait in the default one: they move.
    await client.query(`
      SELECT pg_advisory_xact_lock(hashtext('decodes-partitions'));
      CREATE TABLE IF NOT EXISTS ${name} (LIKE decodes INCLUDING ALL);
      WITH moved AS (DELETE FROM decodes_default WHERE id >= '${from}' AND id < '${to}' RETURNING *)
        INSERT INTO ${name} SELECT * FROM moved;
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '${name}'::regclass) THEN
          ALTER TABLE decodes ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
        END IF;
      END $$`);
  }
}

/** Drops the partitions that lie wholly before a moment. Returns how many. */
export async function dropPartitions(pool: Pool, beforeMs: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'decodes'::regclass ORDER BY 1",
  );
  const old = rows.filter(({ name }) => name < partitionName(beforeMs) && name !== 'decodes_default');
  for (const { name } of old) await pool.query(`DROP TABLE ${name}`);
  return old.length;
}

/** Returns the name of a month's partition; names sort by time, and the default partition's after them all. */
function partitionName(atMs: number): string {
  return `decodes_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`;
}
