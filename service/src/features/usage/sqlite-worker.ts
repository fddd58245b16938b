import { parentPort, workerData } from 'node:worker_threads';

import { isBusy, isUnwritable, openConnection } from '../../platform/db/sqlite-connection.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import type { Batch, RequestResult } from './store.ts';

/** What the worker answers to a batch: the results, or why there are none. */
export type WorkerAnswer =
  | { kind: 'committed'; results: RequestResult[][] }
  | { kind: 'busy' }
  /** The disk is full, broken or read-only. */
  | { kind: 'unwritable'; message: string }
  | { kind: 'failed'; message: string };

/** The worker may block, and nobody else with it: better wait here for a lock than come back for it. */
const BUSY_MS = 1_000;

const port = parentPort;
if (port === null) throw new Error('sqlite-worker is started as a worker thread.');

const connection = openConnection(String(workerData), BUSY_MS);
const commits = new SqliteCommits(connection);

port.on('message', (batch: Batch | 'close') => {
  if (batch === 'close') {
    connection.close();
    port.close();
    return;
  }
  port.postMessage(answerTo(batch));
});

function answerTo(batch: Batch): WorkerAnswer {
  try {
    return { kind: 'committed', results: commits.commit(batch) };
  } catch (error) {
    if (isUnwritable(error)) return { kind: 'unwritable', message: error.message };
    return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', message: String(error) };
  }
}
