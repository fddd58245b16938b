import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { scriptBeside } from '../../platform/threads/pool.ts';
import { DatabaseUnavailableError } from '../../platform/db/refusal.ts';
import type { CommitAnswer, WriterOptions } from './sqlite-writer.ts';
import type { Batch } from './store.ts';

const WORKER = scriptBeside(import.meta.url, 'sqlite-worker');

/** It holds a few batches at a time, and no more: without limits it would keep garbage like a whole service. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

/** Commits batches of charges on SQLite. */
export interface SqliteCommitter {
  /** @throws DatabaseUnavailableError when it is not known what became of the batch. */
  commit(batch: Batch): Promise<CommitAnswer>;
  close(): Promise<void>;
}

interface Commit {
  batch: Batch;
  resolve: (answer: CommitAnswer) => void;
  reject: (reason: unknown) => void;
}

/**
 * The thread that writes charges to SQLite, so that the wait for the disk holds up no request that could be answered
 * meanwhile. Batches that come in during a transaction share the next one.
 */
export class SqliteCommitThread implements SqliteCommitter {
  readonly #options: WriterOptions;
  #worker: Worker | undefined;
  #pending: Commit[] = [];
  #underWay: Commit[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  commit(batch: Batch): Promise<CommitAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CommitAnswer>();
    this.#pending.push({ batch, resolve, reject });
    this.#next();
    return promise;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const gone = once(worker, 'exit');
    worker.postMessage('close');
    await gone;
  }

  #next(): void {
    if (this.#underWay.length > 0 || this.#pending.length === 0) return;
    this.#underWay = this.#pending;
    this.#pending = [];
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(this.#underWay.map(({ batch }) => batch));
  }

  /** A thread that dies fails the batches that it had; the next ones get another thread. */
  #startWorker(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#options, resourceLimits: WORKER_LIMITS });
    worker.on('message', (answers: CommitAnswer[]) => {
      this.#settle(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer === undefined) reject(new Error('The thread that writes to SQLite left a batch out.'));
        else resolve(answer);
      });
    });
    const lost = (cause?: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#settle(({ reject }) =>
        reject(new DatabaseUnavailableError('The thread that writes to SQLite ended.', { cause })),
      );
    };
    worker.on('error', lost);
    worker.on('exit', () => {
      // After an error it has been replaced already, and what is under way is its successor's.
      if (this.#worker === worker) lost();
    });
    return worker;
  }

  #settle(settle: (commit: Commit, index: number) => void): void {
    const settled = this.#underWay;
    this.#underWay = [];
    for (const [index, commit] of settled.entries()) settle(commit, index);
    this.#next();
  }
}
