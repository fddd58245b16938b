import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientConfig, DatabaseError, Pool, type PoolClient, types } from 'pg';

import type { RecentFailure } from './recent-failure.ts';
import { DatabaseUnavailableError, StorageUnwritableError, UnusableDatabaseError } from './refusal.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Limit of a request's statement: one that takes longer waits for a lock that is not coming. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** The server reports its own limit. Past it the connection is lost without a notice. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
/** Silence on a connection, after which the other side is asked whether it lives. */
const ALIVE_AFTER_MS = 5_000;
const INT8_OID = 20;
const NUMERIC_OID = 1700;

/** Options of every connection: they detect a server that cannot be reached. */
const CONNECTION: ClientConfig = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
};

/** The most connections of each kind. */
type Connections = Record<keyof RequestPools, number>;

/** Connections for charges, which wait for no other statement, and for all other statements of requests. */
interface RequestPools {
  charges: Pool;
  others: Pool;
}

/**
 * Opens connections for the statements of requests: each ends within six seconds, even if the server or the network
 * fails. PgBouncer refuses parameters of a connection that it does not know. Through it, the server limits only
 * transactions (`REQUEST_LIMITS`), besides the limits of the role's own settings; Marque still waits no longer for an
 * answer.
 */
export async function openRequestPools(url: string, most: Connections, failure: RecentFailure): Promise<RequestPools> {
  const open = (connections: number, limits: ClientConfig): Pool =>
    newPool(url, connections, limits).on('connect', (client) => noteCrashes(client, failure));
  const limits = {
    query_timeout: ANSWER_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  };
  const others = open(most.others, limits);
  try {
    (await others.connect()).release();
    return { charges: open(most.charges, limits), others };
  } catch (error) {
    await others.end();
    if (!isRefusedParameter(error)) throw error;
    const unlimited = { query_timeout: ANSWER_TIMEOUT_MS };
    return { charges: open(most.charges, unlimited), others: open(most.others, unlimited) };
  }
}

/** The notice with which a server ends a connection because another process of it has crashed. */
const CRASHED = '57P02';

function noteCrashes(client: PoolClient, failure: RecentFailure): void {
  failure.noteConnection();
  client.on('notice', ({ code }) => {
    if (code === CRASHED) failure.noteCrash();
  });
}

function isRefusedParameter(error: unknown): boolean {
  return error instanceof DatabaseError && /unsupported startup parameter/.test(error.message);
}

/** Makes a pool for statements that may take long: migrations, reports and checks over everything, backups. */
export function longTimeoutPool(url: string, most: number): Pool {
  return newPool(url, most, {});
}

/**
 * Limits a transaction of a request, on the server. A transaction has settings of its own behind any pooler, where
 * those of a connection may be another client's.
 */
const REQUEST_LIMITS =
  `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`;

/** Lifts every time limit from a transaction, also those that an administrator set for the role or the database. */
export const NO_LIMITS = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

function newPool(url: string, most: number, limits: ClientConfig): Pool {
  const pool = new Pool({
    ...CONNECTION,
    ...limits,
    connectionString: url,
    max: most,
    application_name: 'marque',
    types: { getTypeParser: readIntegersAsNumbers },
    verify: (client, done) =>
      client.query(READ_ONLY_QUESTION, (error, result) => done(error ?? refusalOf(result.rows[0]))),
  });
  // A connection that breaks is replaced by the pool, and its statements fail; without listeners the events would end
  // the process. The pool listens to connections while they are idle, but not while they are in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const READ_ONLY_QUESTION = 'SHOW transaction_read_only';

/**
 * Returns the refusal of a standby. An address may point to one for a while: before it is promoted, or because DNS was
 * not changed yet.
 */
function refusalOf(setting: Record<string, unknown> | undefined): UnusableDatabaseError | undefined {
  if (setting?.['transaction_read_only'] !== 'on') return undefined;
  return new UnusableDatabaseError(
    'The PostgreSQL server that DATABASE_URL leads to takes no writes: it is a standby, or set to read only. ' +
      'Let it lead to the primary.',
  );
}

/**
 * Returns the parsers of rows. Every integer of ours is a count or epoch milliseconds, far below 2^53: a number
 * represents it exactly.
 */
const readIntegersAsNumbers: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8_OID || oid === NUMERIC_OID) return Number;
  return format === 'binary' ? types.getTypeParser(oid, format) : types.getTypeParser(oid, format);
};

/**
 * Makes a pool fit for Kysely: every connection is released, a broken one is not used again, and every fault of the
 * server or the network is a `DatabaseUnavailableError`.
 */
export function forRequests(pool: Pool): PostgresPool {
  return kyselyPool(pool, (client) => new Borrowed(client, REQUEST_LIMITS));
}

/**
 * Makes a pool fit for Kysely, without time limits: even a statement outside a transaction gets one, which lifts them.
 */
export function forLongWork(pool: Pool): PostgresPool {
  return kyselyPool(pool, (client) => new Unlimited(client, NO_LIMITS));
}

function kyselyPool(pool: Pool, borrow: (client: PostgresPoolClient) => PostgresPoolClient): PostgresPool {
  return {
    options: pool.options,
    end: async () => pool.end(),
    connect: async () => borrow(await guarded(() => pool.connect())),
  };
}

/** The statements with which Kysely begins a transaction. */
const BEGINS = /^(?:begin|start transaction)\b/i;

/**
 * A connection from the pool that remembers whether it broke: the state is unknown of one that did not answer in
 * time, and one to a server that takes no writes is of no use.
 */
class Borrowed implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  /** Runs at the beginning of each transaction. */
  readonly #limits: string;
  #isBroken = false;

  constructor(client: PostgresPoolClient, limits: string) {
    this.#client = client;
    this.#limits = limits;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') return this.#client.query(text);
    // Both statements are one message, and so one round trip.
    return this.ask<R>(BEGINS.test(text) ? `${text}; ${this.#limits}` : text, values);
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isBroken);
  }

  protected async ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    return guarded(async () => {
      try {
        return await this.#client.query<R>(text, values);
      } catch (error) {
        this.#isBroken ||= !(error instanceof DatabaseError) || error.code === READ_ONLY;
        throw error;
      }
    });
  }
}

/** A connection on which every statement is part of a transaction without time limits. */
class Unlimited extends Borrowed {
  #isInTransaction = false;

  protected override async ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (BEGINS.test(text)) this.#isInTransaction = true;
    if (this.#isInTransaction) {
      if (ENDS.test(text)) this.#isInTransaction = false;
      return super.ask<R>(text, values);
    }
    await super.ask(`begin; ${NO_LIMITS}`, []);
    try {
      const result = await super.ask<R>(text, values);
      await super.ask('commit', []);
      return result;
    } catch (error) {
      await super.ask('rollback', []).catch(() => {});
      throw error;
    }
  }
}

/** The statements with which Kysely ends a transaction; not `rollback to` a savepoint. */
const ENDS = /^(?:commit|rollback)$/i;

/** The code of a server that accepts no writes: it is a standby, or was set to read only. */
const READ_ONLY = '25006';

/**
 * Matches SQLSTATE classes and codes that do not concern the statement: the connection or the server failed, had to
 * give up on it, or is not the one that writes.
 */
const PASSING = new RegExp(`^(?:08|53|57P|58)|^(?:40001|40P01|55P03|57014|25P03|${READ_ONLY})$`);

/**
 * Returns true if a fault on PostgreSQL is temporary, so that the same statement may succeed later: the connection
 * broke, the server restarts or is a standby, a time limit ran out, or two transactions were in each other's way.
 */
function isPassingFault(error: unknown): boolean {
  if (error instanceof DatabaseError) return PASSING.test(error.code ?? '');
  // Anything that the server did not report comes from the connection or the pool.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}

/** Codes of a server whose disk is full, or fails. */
const UNWRITABLE = new Set(['53100', '58030']);

/**
 * Runs work on PostgreSQL.
 *
 * @throws DatabaseUnavailableError when it failed for a reason that passes by itself; StorageUnwritableError when that
 *   takes more than a moment.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPassingFault(error)) throw error;
    const isUnwritable = error instanceof DatabaseError && UNWRITABLE.has(error.code ?? '');
    const Unavailable = isUnwritable ? StorageUnwritableError : DatabaseUnavailableError;
    throw new Unavailable(reasonOf(error), { cause: error });
  }
}

/** Returns the report of PostgreSQL, the pooler, or the network, in a sentence. */
function reasonOf(error: unknown): string {
  const reported = error instanceof Error ? error.message : String(error);
  return error instanceof DatabaseError
    ? `PostgreSQL could not do it: ${reported} (SQLSTATE ${error.code ?? 'unknown'}).`
    : `PostgreSQL did not answer: ${reported}.`;
}
