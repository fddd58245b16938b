import type { SqliteDatabase } from '../kernel/db/open.ts';
import { DatabaseUnavailableError, StorageDamagedError, StorageUnwritableError } from '../kernel/db/refusal.ts';
import type { SqliteCommitter } from './sqlite-thread.ts';
import type { Batch, RequestResult, UsageStore } from './store.ts';

/** Commits usage on SQLite through its one writer. */
export class SqliteUsageStore implements UsageStore {
  /** SQLite has one writer. */
  readonly concurrency = 1;
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
    const answer = await this.#committer.commit(batch);
    if (answer.kind === 'committed') return answer.results;
    if (answer.kind === 'busy') throw new DatabaseUnavailableError('SQLite is locked by another process.');
    if (answer.kind === 'unwritable')
      throw storage.note(new StorageUnwritableError(`SQLite cannot write: ${answer.message}`));
    if (answer.kind === 'damaged')
      throw storage.note(new StorageDamagedError(`SQLite's file is damaged: ${answer.message}`));
    throw new Error(answer.message);
  }

  async close(): Promise<void> {
    await this.#committer.close();
  }
}
