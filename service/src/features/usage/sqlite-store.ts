import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { SqliteDatabase } from '../../platform/db/open.ts';
import { DatabaseUnavailableError, StorageDamagedError, StorageUnwritableError } from '../../platform/db/refusal.ts';
import type { WorkerAnswer, WorkerStart } from './sqlite-worker.ts';
import type { Batch, RequestResult, UsageStore } from './store.ts';

/** Beside this file, with the ending that this file has: `.ts` in the sources, `.js` when built. */
const WORKER = new URL(`./sqlite-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** It holds a batch at a time, and no more: without limits of its own it would keep garbage like a whole service. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

/**
 * Commits usage on SQLite in a thread of its own, so that the wait for the disk holds up nobody who could be answered
 * meanwhile, and more requests come together for the next transaction.
 */
export class SqliteUsageStore implements UsageStore {
  /** SQLite has one writer. */
  readonly concurrency = 1;
  readonly #database: SqliteDatabase;
  readonly #used;
  readonly #pending;
  #worker: Worker | undefined;
  #answer: { resolve: (answer: WorkerAnswer) => void; reject: (reason: unknown) => void } | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
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
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    this.#answer = { resolve, reject };
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(batch);
    const answer = await promise;
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
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const gone = once(worker, 'exit');
    worker.postMessage('close');
    await gone;
  }

  /** A worker that dies fails the batch that it had; the next one gets another worker. */
  #startWorker(): Worker {
    const { file, storage } = this.#database;
    const workerData: WorkerStart = { file, files: storage.files };
    const worker = new Worker(WORKER, { workerData, resourceLimits: WORKER_LIMITS });
    worker.on('message', (answer: WorkerAnswer) => this.#answer?.resolve(answer));
    const lost = (cause?: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#answer?.reject(new DatabaseUnavailableError('The thread that writes to SQLite ended.', { cause }));
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return worker;
  }
}
