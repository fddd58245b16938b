import { setTimeout } from 'node:timers/promises';

import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';

import { PostgresChanges } from './changes.ts';
import { type AppliedMigration, type Definition, pendingMigrations } from './migrate.ts';
import { forLongWork, forRequests, longTimeoutPool, NO_LIMITS, openRequestPools } from './postgres-pool.ts';
import { ensureMonths } from './partitions.ts';
import type { PostgresDatabase } from './open.ts';
import { RecentFailure } from './recent-failure.ts';
import type { Schema } from './schema.ts';
import { UnusableDatabaseError } from './refusal.ts';

/** A flood of other requests leaves charges their connections, as many as the meter uses at once. */
const CONNECTIONS = { charges: 4, others: 6 };
/** The number of connections for statements without a time limit; they are opened with the first such statement. */
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
  const longTimeoutConnections = longTimeoutPoolOf(url);
  const failure = new RecentFailure();
  let pools: Awaited<ReturnType<typeof openRequestPools>>;
  try {
    await migratePostgres(longTimeoutConnections, definition);
    pools = await openRequestPools(url, CONNECTIONS, failure);
  } catch (error) {
    await longTimeoutConnections.end();
    throw unreachable(error, url);
  }
  const kysely = typedQueries(forRequests(pools.others));
  const longTimeout = { kysely: typedQueries(forLongWork(longTimeoutConnections)), pool: longTimeoutConnections };
  // A decode may wait for it: pages that take long must not keep it waiting.
  const changes = new PostgresChanges(typedQueries(forRequests(pools.charges)), failure, notifyPeers);
  const close = async (): Promise<void> => {
    for (const typed of [kysely, longTimeout.kysely]) await typed.destroy();
    // Kysely leaves alone a pool that it never used.
    for (const used of [pools.charges, pools.others, longTimeout.pool]) if (!used.ended) await used.end();
  };
  return { engine: 'postgres', kysely, changes, pool: pools.charges, longTimeout, failure, url, close };
}

function typedQueries(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

async function migratePostgres(pool: Pool, definition: Definition): Promise<void> {
  const { monthlyTables } = definition;
  const client = await pool.connect();
  try {
    while ((await migrateOnce(client, definition)) > 0);
    for (const table of monthlyTables) await ensureMonths(client, table, Date.now(), NO_LIMITS);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Applies the next migration in a transaction of its own, so that what it locks is free again before the next one, which
 * may read every decode. @returns how many are still pending.
 */
async function migrateOnce(client: PoolClient, { migrations, routines }: Definition): Promise<number> {
  const found = await client.query<{ found: boolean }>("SELECT to_regclass('schema_versions') IS NOT NULL AS found");
  // The usual case needs no lock: a newer program may hold it for as long as a backup takes.
  if (
    found.rows[0]?.found === true &&
    pendingMigrations(migrations, await appliedIn(client), 'postgres').length === 0
  ) {
    return 0;
  }
  await client.query(`BEGIN; ${NO_LIMITS}`);
  // Of several programs, the one that has it alone tries to lock tables.
  await whenFree(client, `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, () => QUIET_WAIT);
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY, name text NOT NULL, ' +
      'fingerprint text NOT NULL, program text NOT NULL, applied_at bigint NOT NULL)',
  );
  const [next, ...later] = pendingMigrations(migrations, await appliedIn(client), 'postgres');
  if (next !== undefined) {
    await whenFree(client, next.sql, (isTold) => (isTold ? LONGER_WAIT : LOCK_WAIT));
    const row = [next.version, next.name, next.fingerprint, next.program, Date.now()];
    await client.query('INSERT INTO schema_versions VALUES ($1, $2, $3, $4, $5)', row);
    for (const routine of later.length > 0 ? [] : routines) await client.query(routine);
  }
  await client.query('COMMIT');
  return later.length;
}

async function appliedIn(client: PoolClient): Promise<AppliedMigration[]> {
  return (await client.query<AppliedMigration>('SELECT * FROM schema_versions ORDER BY version')).rows;
}

const TELL_MS = 60_000;
/** A wait in which nobody waits behind this program. */
const QUIET_WAIT = `SET LOCAL lock_timeout = ${TELL_MS}`;
/** Limits the wait of a migration for a table, behind which the statements of running instances wait. */
const LOCK_WAIT = 'SET LOCAL lock_timeout = 500';
/**
 * Beside a vacuum the wait is longer: PostgreSQL ends one that it began itself, but only for who has waited for
 * `deadlock_timeout`. It does not end others, so that few waits are.
 */
const LONGER_WAIT = `SELECT set_config('lock_timeout', (500 + CASE WHEN EXISTS (
    SELECT FROM pg_locks WHERE mode = 'ShareUpdateExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) THEN setting::integer ELSE 0 END)::text, true) FROM pg_settings WHERE name = 'deadlock_timeout'`;
/** A pause between tries, in which instances work. */
const PAUSE_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs statements in the open transaction as soon as no other one, such as a backup, uses what they lock, and says each
 * minute that it waits.
 *
 * @param limits returns the statement that limits the wait for a lock, also for a try after which it is said.
 */
async function whenFree(client: PoolClient, statements: string, limits: (isTold: boolean) => string): Promise<void> {
  for (let toldMs = -Infinity; ;) {
    const triedMs = performance.now();
    const isTold = triedMs - toldMs >= TELL_MS;
    await client.query(`SAVEPOINT tried; ${limits(isTold)}`);
    try {
      await client.query(statements);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    }
    // Released, too: each that stays takes memory of the server until the wait ends.
    await client.query('ROLLBACK TO SAVEPOINT tried; RELEASE SAVEPOINT tried');
    if (isTold) {
      toldMs = triedMs;
      process.stderr.write(await waitingSentence(client));
    }
    await setTimeout(PAUSE_MS);
  }
}

/** Returns a line that names the oldest transaction that the migration may wait for. */
async function waitingSentence(client: PoolClient): Promise<string> {
  // Of other roles, PostgreSQL shows what they lock, but not since when.
  const { rows } = await client.query<{ pid: number; application_name: string; minutes: number | null }>(
    `SELECT pid, application_name, (extract(epoch FROM clock_timestamp() - xact_start) / 60)::integer AS minutes
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND (xact_start IS NOT NULL OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'relation'))
     ORDER BY xact_start LIMIT 1`,
  );
  const oldest = rows.map(({ pid, application_name: name, minutes }) => {
    const since = minutes === null ? '' : `, which began ${minutes} min ago`;
    return ` The oldest is process ${pid} (${name === '' ? 'without a name' : name})${since}.`;
  });
  return `Waiting to migrate the database until no other transaction uses the tables that change.${oldest.join('')}\n`;
}

/** Explanations of each fault of a first connection, by its code or its message, with the remedy. */
const FAULTS: readonly { is: RegExp; means: string; advice: string }[] = [
  { is: /^ECONNREFUSED/, means: 'nothing listens there', advice: 'Start PostgreSQL, or correct host and port.' },
  {
    is: /^ENOENT/,
    means: 'a file that its URL names does not exist',
    advice: 'Correct the path of the certificate or of the socket.',
  },
  {
    is: /^(?:ECONNRESET|EPIPE|Connection terminated unexpectedly)/,
    means: 'what listens there closed the connection',
    advice: 'See whether it is PostgreSQL, and its log.',
  },
  { is: /^(?:ENOTFOUND|EAI_AGAIN)/, means: 'its host name is unknown', advice: 'Correct the host.' },
  {
    // PostgreSQL itself says what it canceled.
    is: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|(?!canceling ).*timeout)/,
    means: 'it does not answer',
    advice: 'Check the host, the port, and the firewalls between.',
  },
  {
    is: /^(?:28P01|28000|.*password must be a string)/,
    means: 'it refuses this user or password',
    advice: 'Correct user and password.',
  },
  { is: /^3D000/, means: 'it has no such database', advice: 'Create it with createdb, or correct its name.' },
  { is: /^42501/, means: 'this user may not create tables', advice: 'Give it the rights, or use the owner.' },
  { is: /^53300/, means: 'it takes no more connections', advice: 'Raise its max_connections, or end other clients.' },
  {
    is: /statement pooling mode/,
    means: 'PgBouncer is in statement mode, which has no transactions',
    advice: 'Set pool_mode to transaction or session there.',
  },
  { is: /^57P03/, means: 'it is still starting, or shutting down', advice: 'Try again in a moment.' },
  {
    is: /does not support SSL/,
    means: 'it has no TLS',
    advice: 'Set it up there, or remove sslmode from the URL.',
  },
  {
    is: /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|self-signed/i,
    means: 'its TLS certificate is not trusted',
    advice: 'Add sslrootcert=FILE with the certificate of its authority to the URL.',
  },
];

function longTimeoutPoolOf(url: string): Pool {
  try {
    return longTimeoutPool(url, LONG_TIMEOUT_CONNECTIONS);
  } catch (error) {
    // The driver reads the certificates that a URL names when it reads the URL.
    throw unreachable(error, url);
  }
}

/**
 * Explains the failure of the first connection to PostgreSQL, in a sentence without the password; else returns the
 * error itself.
 */
function unreachable(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof UnusableDatabaseError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = FAULTS.find(({ is }) => is.test(code) || is.test(error.message));
  const found = known ?? (error instanceof DatabaseError ? reported(error) : undefined);
  if (found === undefined) return error;
  // oxlint-disable-next-line no-restricted-properties -- an address, not a file
  const { hostname, port, pathname } = new URL(url);
  const place = `${hostname}:${port === '' ? '5432' : port}${pathname}`;
  return new UnusableDatabaseError(
    `The PostgreSQL database of DATABASE_URL (${place}) cannot be opened: ${found.means}. ${found.advice}`,
    { cause: error },
  );
}

/** Returns a fault that PostgreSQL, or a pooler before it, describes better than we could. */
function reported({ message, code }: DatabaseError): { means: string; advice: string } {
  return { means: `it reports "${message}" (SQLSTATE ${code ?? 'unknown'})`, advice: 'Correct that on the server.' };
}
