import type { SqliteDatabase } from '../kernel/db/open.ts';
import type { SqliteCommitter } from './sqlite-thread.ts';
import { type CommitAnswer, SqliteWriter } from './sqlite-writer.ts';
import type { Batch } from './store.ts';

interface Commit {
  batch: Batch;
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

  commit(batch: Batch): Promise<CommitAnswer> {
    const { promise, resolve } = Promise.withResolvers<CommitAnswer>();
    if (this.#pending.length === 0) setImmediate(() => this.#commitPending());
    this.#pending.push({ batch, resolve });
    return promise;
  }

  async close(): Promise<void> {
    this.#commitPending();
    this.#writer.close();
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
