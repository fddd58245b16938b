import type Sqlite from 'better-sqlite3';

import { StorageUnwritableError } from '../kernel/db/refusal.ts';
import { isBusy, isDamaged, isUnwritable, openConnection } from '../kernel/db/sqlite-connection.ts';
import { checkFiles, type OpenFiles } from '../kernel/db/sqlite-files.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import type { Batch, RequestResult } from './store.ts';

/** What became of a batch: the results, or why there are none. */
export type CommitAnswer =
  | { kind: 'committed'; results: RequestResult[][] }
  | { kind: 'busy' }
  /** The disk is full, broken or read-only, or the file is gone. */
  | { kind: 'unwritable' | 'damaged'; message: string }
  | { kind: 'failed'; message: string };

/** How long to wait for a lock. This thread has nothing else to do, so it waits. */
const BUSY_MS = 1_000;

/** Which database is written: the file, and which files it had when the service opened it. */
export interface WriterOptions {
  file: string;
  files: OpenFiles;
}

/** Writes charges to SQLite, and blocks meanwhile: for a thread or process that does nothing else. */
export class SqliteWriter {
  readonly #options: WriterOptions;
  #open: { connection: Sqlite.Database; commits: SqliteCommits } | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Commits batches in one transaction. Never throws: each gets its answer. */
  commit(batches: readonly Batch[]): CommitAnswer[] {
    const { files } = this.#options;
    try {
      checkFiles(files);
      // Opened with the first batch: whether the file is the one that was opened has just been looked at.
      const results = this.#commits().commit(batches);
      // Again: a commit into a file that is gone must not be acknowledged.
      checkFiles(files);
      return results.map((result) =>
        Array.isArray(result) ? { kind: 'committed', results: result } : { kind: 'failed', message: String(result) },
      );
    } catch (error) {
      const answer = answerToFailure(error);
      return batches.map(() => answer);
    }
  }

  close(): void {
    this.#open?.connection.close();
    this.#open = undefined;
  }

  #commits(): SqliteCommits {
    if (this.#open === undefined) {
      const connection = openConnection(this.#options.file, BUSY_MS);
      this.#open = { connection, commits: new SqliteCommits(connection) };
    }
    return this.#open.commits;
  }
}

function answerToFailure(error: unknown): CommitAnswer {
  if (isDamaged(error)) return { kind: 'damaged', message: error.message };
  if (isUnwritable(error) || error instanceof StorageUnwritableError)
    return { kind: 'unwritable', message: error.message };
  return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', message: String(error) };
}
