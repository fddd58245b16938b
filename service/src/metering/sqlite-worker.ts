import { workerData } from 'node:worker_threads';

import { answerRequests } from '../kernel/threads/thread.ts';
import type { PackedBatch } from './packed.ts';
import { type CommitAnswer, SqliteWriter } from './sqlite-writer.ts';
import type { UnsyncedWrite } from './store.ts';

const writer = new SqliteWriter(workerData);

answerRequests<PackedBatch | UnsyncedWrite, CommitAnswer>((request) => {
  if ('sql' in request) return { answer: writer.write(request), transfer: [] };
  const [answer = { kind: 'failed', message: 'The batch was left out.' }] = writer.commit([request]);
  return { answer, transfer: [] };
});
