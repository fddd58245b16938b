import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';

import { PostgresChanges } from './changes.ts';
import { type AppliedMigration, type Definition, pendingMigrations } from './migrate.ts';
import { longTimeoutPool, requestPool, withoutBroken } from './postgres-pool.ts';
import { ensurePartitions } from './partitions.ts';
import type { PostgresDatabase } from './open.ts';
import type { Schema } from './schema.ts';
import { unreachable } from './unreachable.ts';

const CONNECTIONS = 10;
/** Those that statements without a time limit may take; they are opened when one is there. */
const LONG_TIMEOUT_CONNECTIONS = 2;
/** "marq" in ASCII: the advisory lock that programs take to migrate one after the other. */
const MIGRATION_LOCK = 0x6d617271;

/**
 * Opens a PostgreSQL database and migrates it.
 * @param definition with fewer migrations than all, to restore an old backup.
 * @throws UnusableDatabaseError when it cannot be reached, or is newer than the program.
 */
export async function openPostgres(
  url: string,
  definition: Definition,
  notifyPeers?: () => Promise<void>,
): Promise<PostgresDatabase> {
  const pool = requestPool(url, CONNECTIONS);
  const longTimeoutConnections = longTimeoutPool(url, LONG_TIMEOUT_CONNECTIONS);
  try {
    await migratePostgres(longTimeoutConnections, definition);
  } catch (error) {
    await longTimeoutConnections.end();
    throw unreachable(error, url);
  }
  const kysely = typedQueries(pool);
  const longTimeout = { kysely: typedQueries(longTimeoutConnections), pool: longTimeoutConnections };
  const changes = new PostgresChanges(kysely, notifyPeers);
  const close = async (): Promise<void> => {
    for (const typed of [kysely, longTimeout.kysely]) await typed.destroy();
    // Kysely leaves alone a pool that it never used.
    for (const used of [pool, longTimeout.pool]) if (!used.ended) await used.end();
  };
  return { engine: 'postgres', kysely, changes, pool, longTimeout, url, close };
}

function typedQueries(pool: Pool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withoutBroken(pool) }) });
}

async function migratePostgres(pool: Pool, { migrations, routines }: Definition): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY, name text NOT NULL, ' +
        'fingerprint text NOT NULL, program text NOT NULL, applied_at bigint NOT NULL)',
    );
    const applied = await client.query<AppliedMigration>('SELECT * FROM schema_versions ORDER BY version');
    const pending = pendingMigrations(migrations, applied.rows, 'postgres');
    for (const { sql, version, name, fingerprint, program } of pending) {
      await client.query(sql);
      const row = [version, name, fingerprint, program, Date.now()];
      await client.query('INSERT INTO schema_versions VALUES ($1, $2, $3, $4, $5)', row);
    }
    for (const routine of pending.length > 0 ? routines : []) await client.query(routine);
    await client.query('COMMIT');
    await ensurePartitions(client, Date.now());
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
