import type Sqlite from 'better-sqlite3';

import { StorageUnwritableError } from '../kernel/db/refusal.ts';
import {
  isBusy,
  isDamaged,
  isUnsynced,
  isUnwritable,
  mendLog,
  openConnection,
} from '../kernel/db/sqlite-connection.ts';
import { checkFiles } from '../kernel/db/sqlite-storage.ts';
import { type PackedBatch, type PackedResults, VALUES_A_DECODE } from './packed.ts';
import { SqliteCheckpoints, type WriterOptions } from './sqlite-checkpoints.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import type { UnsyncedWrite } from './store.ts';

/** The outcome of a batch: its results, or the reason why there are none. */
export type CommitAnswer =
  | { kind: 'committed'; results: PackedResults[] }
  | { kind: 'busy' }
  /** The disk is full, broken or read-only, or the file is gone. */
  | { kind: 'unwritable' | 'damaged'; message: string }
  | { kind: 'failed'; message: string };

/** The longest wait for a lock, in milliseconds. This thread has nothing else to do, so it waits. */
const BUSY_MS = 1_000;

/**
 * Pages of the log after which a commit copies it into the file itself: where the thread for it does not keep up, and
 * to bring the log to its end while commits never pause. Most of it has been copied by then.
 */
const CHECKPOINT_PAGES = 4_000;

interface OpenConnection {
  connection: Sqlite.Database;
  commits: SqliteCommits;
  /** The statements of `write`, by their texts: these are constant. */
  writes: Map<string, Sqlite.Statement>;
  synchronous: Synchronous;
}

/**
 * Durability: with `FULL` a transaction is on the disk when it ends; with `NORMAL` the next one with `FULL` brings it
 * there.
 */
type Synchronous = 'FULL' | 'NORMAL';

/** Writes charges to SQLite, and blocks meanwhile: for a thread or process that does nothing else. */
export class SqliteWriter {
  readonly #options: WriterOptions;
  #open: OpenConnection | undefined;
  /** True after a commit that the disk did not take: see `mendLog`. */
  #isTorn = false;
  readonly #checkpoints: SqliteCheckpoints;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#checkpoints = new SqliteCheckpoints(options);
  }

  /** Commits batches in one transaction. Never throws: each gets its answer. */
  commit(batches: readonly PackedBatch[]): CommitAnswer[] {
    const { files } = this.#options;
    try {
      checkFiles(files);
      // Opened with the first batch: whether the file is the one that was opened has just been looked at.
      const { connection, commits } = this.#opened('FULL');
      if (this.#isTorn) mendLog(connection);
      this.#isTorn = false;
      const results = commits.commit(batches);
      // Again: a commit into a file that is gone must not be acknowledged.
      checkFiles(files);
      for (const batch of batches) this.#checkpoints.committed(batch.groups.length, decodesIn(batch));
      return results.map((result) =>
        Array.isArray(result) ? { kind: 'committed', results: result } : { kind: 'failed', message: String(result) },
      );
    } catch (error) {
      this.#isTorn ||= isUnsynced(error);
      const answer = answerToFailure(error);
      return batches.map(() => answer);
    }
  }

  /** Runs a statement in a transaction of its own, without a wait for the disk. Never throws. */
  write({ sql, parameters }: UnsyncedWrite): CommitAnswer {
    const { files } = this.#options;
    try {
      checkFiles(files);
      const { connection, writes } = this.#opened('NORMAL');
      const statement = writes.get(sql) ?? connection.prepare(sql);
      writes.set(sql, statement);
      statement.run(...parameters);
      checkFiles(files);
      return { kind: 'committed', results: [] };
    } catch (error) {
      return answerToFailure(error);
    }
  }

  async close(): Promise<void> {
    await this.#checkpoints.close();
    this.#open?.connection.close();
    this.#open = undefined;
  }

  #opened(synchronous: Synchronous): OpenConnection {
    this.#open ??= this.#newConnection();
    if (this.#open.synchronous !== synchronous) {
      this.#open.connection.pragma(`synchronous = ${synchronous}`);
      this.#open.synchronous = synchronous;
    }
    return this.#open;
  }

  #newConnection(): OpenConnection {
    const connection = openConnection(this.#options.file, BUSY_MS);
    connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return { connection, commits: new SqliteCommits(connection), writes: new Map(), synchronous: 'FULL' };
  }
}

function decodesIn({ groups, free }: PackedBatch): number {
  return groups.reduce((sum, { decodes }) => sum + decodes.length / VALUES_A_DECODE, free.length);
}

function answerToFailure(error: unknown): CommitAnswer {
  if (isDamaged(error)) return { kind: 'damaged', message: error.message };
  if (isUnwritable(error) || error instanceof StorageUnwritableError)
    return { kind: 'unwritable', message: error.message };
  return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', message: String(error) };
}
