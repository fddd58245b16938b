import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { LabeledVin } from '../../labels/labeled.ts';
import type { VinLayout } from '../../world/model.ts';
import { type Learned, learnedFrom } from './learn.ts';
import type { Findings } from './learner.ts';
import { partition } from './partition.ts';
import type { ColumnNames } from './read-cars.ts';
import { type Sample, learnConfidenceOf } from './confidence.ts';

const SCRIPT = new URL(`./thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** The files of cars, and the catalog. */
export interface LearnJob {
  files: readonly string[];
  columns: ColumnNames;
  /** Cars that are in no file. */
  cars: readonly LabeledVin[];
  /** The bytes of the catalog, in memory that threads share. */
  catalog: Uint8Array;
  /** The layouts that it was compiled from. */
  layouts: readonly VinLayout[];
}

/** The inputs of a thread: it takes the cars of its own WMIs. */
export interface ThreadStart extends LearnJob {
  learners: ReadonlyMap<string, number>;
  learner: number;
}

/**
 * Learns from cars with several threads, each of which reads the files and keeps its own share.
 *
 * @param counts the number of cars of each WMI
 * @throws the error of a thread
 */
export async function learnInThreads(
  job: LearnJob,
  counts: ReadonlyMap<string, number>,
  threads: number,
): Promise<Learned> {
  const learners = partition(counts, job.layouts, threads);
  const workers = Array.from({ length: threads }, (_, learner) => {
    const workerData: ThreadStart = { ...job, learners, learner };
    return new Worker(SCRIPT, { workerData });
  });
  try {
    const samples = await Promise.all(workers.map(async (worker) => answerOf<Sample>(worker)));
    const trust = learnConfidenceOf(samples);
    const findings = workers.map(async (worker) => answerOf<Findings>(worker));
    for (const worker of workers) worker.postMessage(trust);
    return learnedFrom(await Promise.all(findings), trust, job.layouts);
  } finally {
    await Promise.all(workers.map(async (worker) => worker.terminate()));
  }
}

async function answerOf<Answer>(worker: Worker): Promise<Answer> {
  const [answer] = (await once(worker, 'message')) as [Answer];
  return answer;
}
