import type { SqliteDatabase } from '../kernel/db/open.ts';
import { DatabaseUnavailableError, StorageDamagedError, StorageUnwritableError } from '../kernel/db/refusal.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import type { WriterOptions } from './sqlite-checkpoints.ts';
import { packed, type PackedBatch, type PackedResults, unpackedResults } from './packed.ts';
import { type CommitAnswer, SqliteWriter } from './sqlite-writer.ts';
import type { Batch, RequestResult, UnsyncedWrite, UsageStore } from './store.ts';

/** Commits usage on SQLite through its one writer. */
export class SqliteUsageStore implements UsageStore {
  /**
   * SQLite has one writer. The second batch is with it when the first is done, so that it need not wait for this
   * thread.
   */
  readonly concurrency = 2;
  readonly concurrencyPerSubject = 2;
  readonly #database: SqliteDatabase;
  readonly #committer: SqliteCommitter;

  /** @param committer is closed with the store. */
  constructor(database: SqliteDatabase, committer: SqliteCommitter) {
    this.#database = database;
    this.#committer = committer;
  }

  async commit(batch: Batch): Promise<RequestResult[][]> {
    const { storage } = this.#database;
    storage.refuseDamaged();
    storage.mend();
    const results = this.#resultsOf(await this.#committer.commit(packed(batch)));
    // A page's commit may have failed meanwhile, before this one in the log.
    storage.mend();
    return results.map(unpackedResults);
  }

  /**
   * Runs a statement in the thread or process that commits: on this thread it would stop every request, and wait for
   * the lock of a commit.
   */
  async write(statement: UnsyncedWrite): Promise<void> {
    this.#database.storage.refuseDamaged();
    this.#resultsOf(await this.#committer.write(statement));
  }

  async close(): Promise<void> {
    await this.#committer.close();
  }

  #resultsOf(answer: CommitAnswer): PackedResults[] {
    const { storage } = this.#database;
    if (answer.kind === 'committed') return answer.results;
    if (answer.kind === 'busy') throw new DatabaseUnavailableError('SQLite is locked by another process.');
    if (answer.kind === 'unwritable')
      throw storage.note(new StorageUnwritableError(`SQLite cannot write: ${answer.message}`));
    if (answer.kind === 'damaged')
      throw storage.note(new StorageDamagedError(`SQLite's file is damaged: ${answer.message}`));
    throw new Error(answer.message);
  }
}

/**
 * Heap limits of the thread, in MiB: it needs a few batches at a time, and without limits it would keep garbage like a
 * whole service.
 */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

/** Commits batches of charges on SQLite. */
export interface SqliteCommitter {
  /** Commits a batch. @throws DatabaseUnavailableError when its outcome is unknown. */
  commit(batch: PackedBatch): Promise<CommitAnswer>;
  /** Runs a statement. @throws DatabaseUnavailableError when its outcome is unknown. */
  write(statement: UnsyncedWrite): Promise<CommitAnswer>;
  close(): Promise<void>;
}

/** Opens what commits to a database; it is closed with the store. */
export type OpenCommitter = (database: SqliteDatabase) => SqliteCommitter;

/**
 * The thread that writes charges to SQLite, so that waiting for the disk does not hold up other requests. A thread that
 * dies fails its batch; the next batch gets a new thread.
 */
export class SqliteCommitThread implements SqliteCommitter {
  readonly #pool: ThreadPool<PackedBatch | UnsyncedWrite, CommitAnswer>;

  constructor({ file, storage }: SqliteDatabase) {
    const script = scriptBeside(import.meta.url, 'sqlite-worker');
    const workerData: WriterOptions = { file, files: storage.files };
    this.#pool = new ThreadPool({ script, workerData, threads: 1, limits: WORKER_LIMITS });
  }

  commit(batch: PackedBatch): Promise<CommitAnswer> {
    return this.#run(batch);
  }

  write(statement: UnsyncedWrite): Promise<CommitAnswer> {
    return this.#run(statement);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(request: PackedBatch | UnsyncedWrite): Promise<CommitAnswer> {
    try {
      return await this.#pool.run(request);
    } catch (cause) {
      throw new DatabaseUnavailableError('The thread that writes to SQLite ended.', { cause });
    }
  }
}

interface Commit {
  batch: PackedBatch;
  resolve: (answer: CommitAnswer) => void;
}

/**
 * Writes charges to SQLite in this thread: for a process that serves no request, where a thread more would cost every
 * batch two messages. Batches that came in during a transaction, from several processes, share the next one.
 */
export class SqliteBlockingCommitter implements SqliteCommitter {
  readonly #writer: SqliteWriter;
  #pending: Commit[] = [];

  constructor({ file, storage }: SqliteDatabase) {
    this.#writer = new SqliteWriter({ file, files: storage.files });
  }

  commit(batch: PackedBatch): Promise<CommitAnswer> {
    const { promise, resolve } = Promise.withResolvers<CommitAnswer>();
    if (this.#pending.length === 0) setImmediate(() => this.#commitPending());
    this.#pending.push({ batch, resolve });
    return promise;
  }

  async write(statement: UnsyncedWrite): Promise<CommitAnswer> {
    return this.#writer.write(statement);
  }

  async close(): Promise<void> {
    this.#commitPending();
    await this.#writer.close();
  }

  #commitPending(): void {
    const commits = this.#pending;
    this.#pending = [];
    if (commits.length === 0) return;
    const answers = this.#writer.commit(commits.map(({ batch }) => batch));
    for (const [index, { resolve }] of commits.entries()) {
      resolve(answers[index] ?? { kind: 'failed', message: 'The batch was left out.' });
    }
  }
}
