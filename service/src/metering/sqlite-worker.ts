import { workerData } from 'node:worker_threads';

import { answerRequests } from '../kernel/threads/thread.ts';
import type { PackedBatch } from './packed.ts';
import { type CommitAnswer, SqliteWriter } from './sqlite-writer.ts';

const writer = new SqliteWriter(workerData);

answerRequests<PackedBatch, CommitAnswer>((batch) => {
  const [answer = { kind: 'failed', message: 'The batch was left out.' }] = writer.commit([batch]);
  return { answer, transfer: [] };
});
