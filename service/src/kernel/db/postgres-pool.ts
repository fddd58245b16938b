import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientConfig, DatabaseError, Pool, types } from 'pg';

import { DatabaseUnavailableError, UnusableDatabaseError } from './refusal.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of a request takes long; one that does waits for a lock that is not coming. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** The server reports its own limit. Past it the connection is lost without a notice. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
/** Silence on a connection, after which the other side is asked whether it lives. */
const ALIVE_AFTER_MS = 5_000;
const INT8_OID = 20;
const NUMERIC_OID = 1700;

/** What every connection has: a server that cannot be reached is noticed. */
const CONNECTION: ClientConfig = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
};

/** Statements of requests: each ends within six seconds, even if the server or the network fails. */
export function requestPool(url: string, most: number): Pool {
  return newPool(url, most, {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
}

/** Statements that take as long as they take: migrations, reports and checks over everything, backups. */
export function longTimeoutPool(url: string, most: number): Pool {
  return newPool(url, most, { statement_timeout: 0, idle_in_transaction_session_timeout: 0 });
}

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
  // A connection that breaks is replaced by the pool, and its statements fail; without listeners the events would end the
  // process. The pool listens to connections while they are idle, but not while they are in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const READ_ONLY_QUESTION = 'SHOW transaction_read_only';

/** An address may point to a standby for a while: before it is promoted, or because DNS was not changed yet. */
function refusalOf(setting: Record<string, unknown> | undefined): UnusableDatabaseError | undefined {
  if (setting?.['transaction_read_only'] !== 'on') return undefined;
  return new UnusableDatabaseError(
    'The PostgreSQL server that DATABASE_URL leads to takes no writes: it is a standby, or set to read only. ' +
      'Let it lead to the primary.',
  );
}

/** Every integer of ours is a count or epoch milliseconds, far below 2^53: a number holds it exactly. */
const readIntegersAsNumbers: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8_OID || oid === NUMERIC_OID) return Number;
  return format === 'binary' ? types.getTypeParser(oid, format) : types.getTypeParser(oid, format);
};

/**
 * A pool as Kysely takes it: it gives every connection back, what is broken is not used again, and everything that is the
 * matter with the server or the way there is a `DatabaseUnavailableError`.
 */
export function withoutBroken(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: async () => pool.end(),
    connect: async () => new Borrowed(await guarded(() => pool.connect())),
  };
}

/**
 * A connection from the pool that remembers whether it broke: the state is unknown of one that did not answer in
 * time, and one to a server that takes no writes is of no use.
 */
class Borrowed implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  #isBroken = false;

  constructor(client: PostgresPoolClient) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    return typeof text === 'string' ? this.#ask<R>(text, values) : this.#client.query(text);
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isBroken);
  }

  async #ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
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

/** What a server says that takes no writes: it is a standby, or was set to read only. */
const READ_ONLY = '25006';

/**
 * SQLSTATE classes and codes that say nothing about the statement: the connection or the server failed, had to give up
 * on it, or is not the one that writes.
 */
const PASSING = new RegExp(`^(?:08|53|57P|58)|^(?:40001|40P01|55P03|57014|25P03|${READ_ONLY})$`);

/**
 * Whether a fault on PostgreSQL passes by itself, so that the same statement may do later: the connection broke, the
 * server restarts or is a standby, a time limit ran out, or two transactions were in each other's way.
 */
function isPassingFault(error: unknown): boolean {
  if (error instanceof DatabaseError) return PASSING.test(error.code ?? '');
  // Anything that the server did not report comes from the connection or the pool.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}

/**
 * Does something on PostgreSQL.
 * @throws DatabaseUnavailableError when it failed for a reason that passes by itself.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPassingFault(error)) throw error;
    throw new DatabaseUnavailableError('PostgreSQL did not answer.', { cause: error });
  }
}
