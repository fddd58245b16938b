import type { Decoder } from '@marque/decoder';

import type { LabelledVin } from '../accuracy/labelled.ts';
import { readWorld } from '../world/load.ts';
import { type Learned, Learner } from './learn.ts';
import { type ColumnNames, readCars } from './read-cars.ts';
import { writeLearned } from './write.ts';

/**
 * Learns from files of labelled cars what the catalog leaves open.
 *
 * @param options decoder: the catalog; columns: what columns of CSV files are called; cars: further labelled cars; out: a folder for
 *   the rows; onCars hears how many were read
 * @throws Error naming a file that cannot be read
 */
export async function learnFromFiles(
  files: readonly string[],
  options: {
    decoder: Decoder;
    columns?: ColumnNames;
    cars?: Iterable<LabelledVin>;
    out?: string;
    onCars?: (cars: number) => void;
  },
): Promise<Learned> {
  const learner = new Learner(readWorld().profiles, options.decoder);
  for (const car of options.cars ?? []) learner.add(car);
  let cars = 0;
  for (const file of files) {
    for await (const car of readCars(file, options.columns)) {
      learner.add(car);
      if (++cars % REPORT_EVERY === 0) options.onCars?.(cars);
    }
  }
  const learned = learner.finish();
  if (options.out !== undefined) writeLearned(options.out, learned);
  return learned;
}

const REPORT_EVERY = 10_000;
