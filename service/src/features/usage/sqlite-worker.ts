import { parentPort, workerData } from 'node:worker_threads';

import { SqliteWriter } from './sqlite-writer.ts';
import type { Batch } from './store.ts';

const port = parentPort;
if (port === null) throw new Error('sqlite-worker is started as a worker thread.');

const writer = new SqliteWriter(workerData);

port.on('message', (batches: readonly Batch[] | 'close') => {
  if (batches === 'close') {
    writer.close();
    port.close();
    return;
  }
  port.postMessage(writer.commit(batches));
});
