import { setTimeout as sleep } from 'node:timers/promises';

import type Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { LRUCache } from 'lru-cache';

import { DatabaseUnavailableError } from './refusal.ts';
import { isBusy } from './sqlite-connection.ts';
import type { SqliteStorage } from './sqlite-storage.ts';

/** Longer than any transaction of ours takes, shorter than a client waits. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 10;

const COMMIT = 'COMMIT';

/**
 * Kysely on one better-sqlite3 connection.
 *
 * Kysely's own SQLite dialect lets better-sqlite3 wait for a lock, which stops the whole process while another one
 * writes. This one waits without blocking, and begins every transaction as a writer, so that no transaction fails
 * half way because it began as a reader.
 */
export class SqliteDialect implements Dialect {
  readonly #connection: Sqlite.Database;
  readonly #storage: SqliteStorage;

  constructor(connection: Sqlite.Database, storage: SqliteStorage) {
    this.#connection = connection;
    this.#storage = storage;
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter();
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#connection, this.#storage);
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }
}

class SqliteDriver implements Driver {
  readonly #database: Sqlite.Database;
  readonly #connection: DatabaseConnection;
  /** Resolves when the last one in the queue has given the connection back. */
  #queue: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(database: Sqlite.Database, storage: SqliteStorage) {
    this.#database = database;
    this.#connection = new SqliteConnection(database, storage);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#queue;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue = promise;
    await before;
    this.#release = resolve;
    return this.#connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(COMMIT));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself after some faults, a full disk among them.
    if (this.#database.inTransaction) await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  /** The opener of the connection closes it: Kysely does not come here when it was never used. */
  async destroy(): Promise<void> {
    await this.#queue;
  }
}

/** Prepared statements that are kept: the service has fewer, save for lists of another length each time. */
const MOST_STATEMENTS = 200;

/** The query, not the statement, says what its rows are. */
type KeptStatement = Sqlite.Statement<unknown[], never>;

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database;
  readonly #statements = new LRUCache<string, KeptStatement>({ max: MOST_STATEMENTS });
  readonly #storage: SqliteStorage;

  constructor(database: Sqlite.Database, storage: SqliteStorage) {
    this.#database = database;
    this.#storage = storage;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return retryWhileBusy(() => this.#storage.guard(() => this.#run<R>(query)));
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages.');
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#prepared(query.sql);
    const begins = !this.#database.inTransaction && !statement.readonly;
    if (begins) this.#storage.check();
    const result = resultOf<R>(statement, query.parameters);
    const hasCommitted = query.sql === COMMIT || (begins && !this.#database.inTransaction);
    // Again: a commit into a file that is gone must not be acknowledged.
    if (hasCommitted) this.#storage.check();
    return result;
  }

  #prepared(text: string): KeptStatement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<unknown[], never>(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

function resultOf<R>(statement: KeptStatement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/**
 * Runs a statement again and again while another connection holds the lock, without stopping the process.
 * @throws DatabaseUnavailableError when the lock is not freed in time.
 */
async function retryWhileBusy<T>(run: () => T): Promise<T> {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > giveUpAt) {
        throw new DatabaseUnavailableError('SQLite stayed locked by another process.', { cause: error });
      }
      await sleep(BUSY_RETRY_MS);
    }
  }
}
