import { workerData } from 'node:worker_threads';

import { openCatalog } from '@marque/decoder';

import { answerRequests } from '../kernel/threads/thread.ts';
import { type DecodedVin, decodeVin } from './decoded-vin.ts';

/** Data of the thread. */
export interface FileThreadStart {
  /** The catalog's bytes in shared memory. */
  catalog: Uint8Array;
}

const { catalog }: FileThreadStart = workerData;
const decoder = openCatalog(catalog);

answerRequests<readonly string[], DecodedVin[]>((vins) => ({
  answer: vins.map((vin) => decodeVin(decoder, vin)),
  transfer: [],
}));
