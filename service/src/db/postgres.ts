import { Kysely } from 'kysely';
import { Pool, types } from 'pg';

import { PostgresChanges } from './changes.ts';
import { pendingMigrations } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { GuardedPostgresDialect } from './postgres-dialect.ts';
import { ensurePartitions } from './partitions.ts';
import type { PostgresDatabase } from './open.ts';
import type { Schema } from './schema.ts';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of ours takes long; one that does waits for a lock that is not coming. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** "marq" in ASCII: the advisory lock that programs take to migrate one after the other. */
const MIGRATION_LOCK = 0x6d617271;
const INT8_OID = 20;
const NUMERIC_OID = 1700;

/**
 * Opens a PostgreSQL database and migrates it.
 * @param version the version to migrate to; anything but the newest is for restoring an old backup.
 * @throws DatabaseRefusal when it is newer than the program.
 */
export async function openPostgres(url: string, version = migrations.length): Promise<PostgresDatabase> {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'marque',
    keepAlive: true,
    types: { getTypeParser: readIntegersAsNumbers },
  });
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on('error', () => {});
  try {
    await migratePostgres(pool, version);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const kysely = new Kysely<Schema>({ dialect: new GuardedPostgresDialect({ pool }) });
  const changes = new PostgresChanges(kysely, url);
  const close = async (): Promise<void> => {
    await changes.close();
    await kysely.destroy();
    // Kysely leaves alone a pool that it never used.
    if (!pool.ended) await pool.end();
  };
  return { engine: 'postgres', kysely, changes, pool, url, close };
}

/** Every integer of ours is a count or epoch milliseconds, far below 2^53: a number holds it exactly. */
const readIntegersAsNumbers: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8_OID || oid === NUMERIC_OID) return Number;
  return format === 'binary' ? types.getTypeParser(oid, format) : types.getTypeParser(oid, format);
};

async function migratePostgres(pool: Pool, version: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Another program's migration may take longer than a statement may.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_versions ' +
        '(version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)',
    );
    const applied = await client.query<{ version: number }>(
      'SELECT coalesce(max(version), 0) AS version FROM schema_versions',
    );
    for (const migration of pendingMigrations(migrations, applied.rows[0]?.version ?? 0, version)) {
      await client.query(migration.postgres);
      await client.query('INSERT INTO schema_versions (version, name, applied_at) VALUES ($1, $2, $3)', [
        migration.version,
        migration.name,
        Date.now(),
      ]);
    }
    await client.query('COMMIT');
    await ensurePartitions(client, Date.now());
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
