import { parentPort, workerData } from 'node:worker_threads';

import type Sqlite from 'better-sqlite3';

import { StorageUnwritableError } from '../../platform/db/refusal.ts';
import { isBusy, isDamaged, isUnwritable, openConnection } from '../../platform/db/sqlite-connection.ts';
import { checkFiles, type OpenFiles } from '../../platform/db/sqlite-files.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import type { Batch, RequestResult } from './store.ts';

/** What became of a batch: the results, or why there are none. */
export type CommitAnswer =
  | { kind: 'committed'; results: RequestResult[][] }
  | { kind: 'busy' }
  /** The disk is full, broken or read-only, or the file is gone. */
  | { kind: 'unwritable' | 'damaged'; message: string }
  | { kind: 'failed'; message: string };

/** The worker may block, and blocks nothing else: better wait here for a lock than come back for it. */
const BUSY_MS = 1_000;

const port = parentPort;
if (port === null) throw new Error('sqlite-worker is started as a worker thread.');

/** What the thread is started with: the database, and which files it had when the service opened it. */
export interface WorkerStart {
  file: string;
  files: OpenFiles;
}

const { file, files }: WorkerStart = workerData;
let commits: { connection: Sqlite.Database; on: SqliteCommits } | undefined;

port.on('message', (batches: readonly Batch[] | 'close') => {
  if (batches === 'close') {
    commits?.connection.close();
    port.close();
    return;
  }
  port.postMessage(answersTo(batches));
});

function answersTo(batches: readonly Batch[]): CommitAnswer[] {
  try {
    checkFiles(files);
    // Opened with the first batch: whether the file is the one that was opened has just been looked at.
    const results = openCommits().commit(batches);
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

function answerToFailure(error: unknown): CommitAnswer {
  if (isDamaged(error)) return { kind: 'damaged', message: error.message };
  if (isUnwritable(error) || error instanceof StorageUnwritableError)
    return { kind: 'unwritable', message: error.message };
  return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', message: String(error) };
}

function openCommits(): SqliteCommits {
  if (commits === undefined) {
    const connection = openConnection(file, BUSY_MS);
    commits = { connection, on: new SqliteCommits(connection) };
  }
  return commits.on;
}
