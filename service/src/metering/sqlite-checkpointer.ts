import { workerData } from 'node:worker_threads';

import type Sqlite from 'better-sqlite3';

import { openConnection } from '../kernel/db/sqlite-connection.ts';
import { checkFiles } from '../kernel/db/sqlite-storage.ts';
import { answerRequests } from '../kernel/threads/thread.ts';
import type { WriterOptions } from './sqlite-checkpoints.ts';

const { file, files }: WriterOptions = workerData;
let connection: Sqlite.Database | undefined;

answerRequests(() => {
  try {
    checkFiles(files);
    connection ??= openConnection(file, 0);
    connection.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // Nothing is lost: the log still has every commit, and the next commit reports the fault.
  }
  return { answer: undefined, transfer: [] };
});
