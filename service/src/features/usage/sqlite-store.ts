import type { SqliteDatabase } from '../../platform/db/open.ts';
import { DatabaseUnavailableError, StorageDamagedError, StorageUnwritableError } from '../../platform/db/refusal.ts';
import type { SqliteCommitter } from './sqlite-thread.ts';
import type { Batch, RequestResult, UsageStore } from './store.ts';

/** Commits usage on SQLite through its one writer. */
export class SqliteUsageStore implements UsageStore {
  /** SQLite has one writer. */
  readonly concurrency = 1;
  readonly #database: SqliteDatabase;
  readonly #committer: SqliteCommitter;
  readonly #used;
  readonly #pending;

  /** @param committer is closed with the store. */
  constructor(database: SqliteDatabase, committer: SqliteCommitter) {
    this.#database = database;
    this.#committer = committer;
    this.#used = database.direct
      .prepare<[string, number], number>('SELECT used FROM usage_counters WHERE subject = ? AND window_start = ?')
      .pluck();
    this.#pending = database.direct
      .prepare<[string, string, number], string>(
        'SELECT id FROM decodes WHERE subject = ? AND vin = ? AND charged = 0 AND created_at >= ? LIMIT 1',
      )
      .pluck();
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

  async pending(subject: string, vin: string, sinceMs: number): Promise<string | undefined> {
    return this.#database.storage.guard(() => this.#pending.get(subject, vin, sinceMs));
  }

  async used(subject: string, windowStartMs: number): Promise<number> {
    return this.#database.storage.guard(() => this.#used.get(subject, windowStartMs)) ?? 0;
  }

  async close(): Promise<void> {
    await this.#committer.close();
  }
}
