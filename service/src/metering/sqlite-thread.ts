import type { SqliteDatabase } from '../kernel/db/open.ts';
import { DatabaseUnavailableError } from '../kernel/db/refusal.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import type { CommitAnswer, WriterOptions } from './sqlite-writer.ts';
import type { Batch } from './store.ts';

/** It holds a few batches at a time, and no more: without limits it would keep garbage like a whole service. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

/** Commits batches of charges on SQLite. */
export interface SqliteCommitter {
  /** @throws DatabaseUnavailableError when it is not known what became of the batch. */
  commit(batch: Batch): Promise<CommitAnswer>;
  close(): Promise<void>;
}

/**
 * The thread that writes charges to SQLite, so that the wait for the disk holds up no request that could be answered
 * meanwhile. One that dies fails the batch that it had; the next one gets another thread.
 */
export class SqliteCommitThread implements SqliteCommitter {
  readonly #pool: ThreadPool<Batch, CommitAnswer>;

  constructor({ file, storage }: SqliteDatabase) {
    const script = scriptBeside(import.meta.url, 'sqlite-worker');
    const workerData: WriterOptions = { file, files: storage.files };
    this.#pool = new ThreadPool({ script, workerData, threads: 1, limits: WORKER_LIMITS });
  }

  async commit(batch: Batch): Promise<CommitAnswer> {
    try {
      return await this.#pool.run(batch);
    } catch (cause) {
      throw new DatabaseUnavailableError('The thread that writes to SQLite ended.', { cause });
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
