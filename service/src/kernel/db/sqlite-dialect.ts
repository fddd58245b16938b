import { setTimeout as sleep } from 'node:timers/promises';

import type Sqlite from 'better-sqlite3';
import * as kysely from 'kysely';
import { LRUCache } from 'lru-cache';

import { DatabaseUnavailableError } from './refusal.ts';
import { isBusy } from './sqlite-connection.ts';
import type { SqliteStorage } from './sqlite-storage.ts';

/** Longer than any transaction of ours takes, shorter than a client waits. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 10;

/**
 * Kysely's SQLite dialect, except that it waits for another process's lock without stopping this one, begins every
 * transaction as a writer (none fails half way because it began as a reader), waits for the disk without stopping this
 * process, and checks that written data is kept.
 */
export class SqliteDialect extends kysely.SqliteDialect {
  readonly #database: Sqlite.Database;
  readonly #storage: SqliteStorage;

  constructor(database: Sqlite.Database, storage: SqliteStorage) {
    super({ database });
    this.#database = database;
    this.#storage = storage;
  }

  override createDriver(): kysely.Driver {
    return new SqliteDriver(this.#database, this.#storage);
  }

  override createQueryCompiler(): kysely.QueryCompiler {
    return new SqliteQueryCompiler();
  }
}

/** Leaves out row locks, which SQLite does not have and need not have: a transaction that writes is alone. */
class SqliteQueryCompiler extends kysely.SqliteQueryCompiler {
  protected override visitSelectModifier(node: kysely.SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

class SqliteDriver extends kysely.SqliteDriver {
  readonly #database: Sqlite.Database;
  readonly #storage: SqliteStorage;
  readonly #connection: SqliteConnection;

  constructor(database: Sqlite.Database, storage: SqliteStorage) {
    super({ database });
    this.#database = database;
    this.#storage = storage;
    this.#connection = new SqliteConnection(database, storage);
  }

  override async acquireConnection(): Promise<kysely.DatabaseConnection> {
    return this.#connection;
  }

  override async beginTransaction(connection: kysely.DatabaseConnection): Promise<void> {
    await connection.executeQuery(kysely.CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  override async commitTransaction(connection: kysely.DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    await this.#storage.sync();
    // Again: a commit into a file that is gone must not be acknowledged.
    this.#storage.guard(() => this.#storage.check());
  }

  override async rollbackTransaction(connection: kysely.DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself after some faults, a full disk among them.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  /** Leaves closing to the opener of the connection: Kysely does not come here when it was never used. */
  override async destroy(): Promise<void> {}
}

/** Prepared statements that are kept: the service has fewer, except for lists whose length varies. */
const MOST_STATEMENTS = 200;

/** A prepared statement; the type of its rows comes from the query. */
type KeptStatement = Sqlite.Statement<unknown[], never>;

class SqliteConnection implements kysely.DatabaseConnection {
  readonly #database: Sqlite.Database;
  readonly #statements = new LRUCache<string, KeptStatement>({ max: MOST_STATEMENTS });
  readonly #storage: SqliteStorage;

  constructor(database: Sqlite.Database, storage: SqliteStorage) {
    this.#database = database;
    this.#storage = storage;
  }

  async executeQuery<R>(query: kysely.CompiledQuery): Promise<kysely.QueryResult<R>> {
    const { result, isCommitted } = await retryWhileBusy(() => this.#storage.guard(() => this.#run<R>(query)));
    if (isCommitted) await this.#storage.sync();
    return result;
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<kysely.QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages.');
  }

  /** Runs a statement. `isCommitted`: it was a transaction by itself, and changed something. */
  #run<R>(query: kysely.CompiledQuery): { result: kysely.QueryResult<R>; isCommitted: boolean } {
    const statement = this.#prepared(query.sql);
    const begins = !this.#database.inTransaction && !statement.readonly;
    if (begins) this.#storage.check();
    const result = resultOf<R>(statement, query.parameters.map(bindable));
    const isOver = begins && !this.#database.inTransaction;
    if (isOver) this.#storage.check();
    return { result, isCommitted: isOver && (result.rows.length > 0 || result.numAffectedRows !== 0n) };
  }

  #prepared(text: string): KeptStatement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<unknown[], never>(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** Converts values that SQLite lacks, as better-auth stores them: dates to ISO texts, booleans to 0 and 1. */
function bindable(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? Number(value) : value;
}

function resultOf<R>(statement: KeptStatement, parameters: readonly unknown[]): kysely.QueryResult<R> {
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/**
 * Runs a statement again and again while another connection has the lock, without stopping the process.
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
