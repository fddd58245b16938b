import { availableParallelism } from 'node:os';

import { openCatalog } from '@marque/decoder';

import type { LabeledVin } from '../../labels/labeled.ts';
import { loadWorld } from '../../world/load.ts';
import type { VinLayout } from '../../world/model.ts';
import { learn, type Learned } from './learn.ts';
import { wmiOf } from './partition.ts';
import { type ColumnNames, readCars } from './read-cars.ts';
import { learnInThreads, type LearnJob } from './threads.ts';
import { writeLearned } from './write.ts';

/** The number of cars from which threads are used: with fewer, one learns in less time than others take to start. */
const CARS_FOR_THREADS = 100_000;
/** Each takes a few hundred MB. */
const MOST_THREADS = 4;

/** The inputs and the output folder of learning. */
export interface LearnOptions {
  /** The bytes of the catalog, in memory that threads can share: `readSharedCatalog`. */
  catalog: Uint8Array;
  /** The layouts that it was compiled from, where they are not the project's. */
  layouts?: readonly VinLayout[];
  /** Names of the columns of CSV files. */
  columns?: ColumnNames;
  /** Further labeled cars. */
  cars?: readonly LabeledVin[];
  /** A folder for the rows. */
  out?: string;
  /** Most threads. Default: one for each core. */
  threads?: number;
}

/**
 * Learns from files of labeled cars the fields that the catalog leaves open.
 *
 * @throws Error naming a file that cannot be read
 */
export async function learnFromFiles(files: readonly string[], options: LearnOptions): Promise<Learned> {
  const { catalog, layouts = loadWorld(), columns = {}, cars = [], out } = options;
  const job: LearnJob = { files, columns, cars, catalog, layouts };
  const { threads = Math.min(MOST_THREADS, availableParallelism()) } = options;
  const counts = countsOf(job);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const learned =
    threads > 1 && total >= CARS_FOR_THREADS
      ? await learnInThreads(job, counts, threads)
      : learn(carsOf(job), layouts, openCatalog(catalog));
  if (out !== undefined) writeLearned(out, learned);
  return learned;
}

/** Returns the number of cars of each WMI. */
function countsOf({ files, columns, cars }: LearnJob): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (vin: string): void => {
    const wmi = wmiOf(vin);
    counts.set(wmi, (counts.get(wmi) ?? 0) + 1);
  };
  for (const { vin } of cars) count(vin);
  for (const file of files) for (const { vin } of readCars(file, columns)) count(vin);
  return counts;
}

function* carsOf({ files, columns, cars }: LearnJob): Generator<LabeledVin> {
  yield* cars;
  for (const file of files) for (const { car } of readCars(file, columns)) yield car();
}
