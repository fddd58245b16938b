import type { JobOutcome } from './outcome.ts';

/** Called for every job that ended. */
export type JobWatcher = (queue: string, outcome: JobOutcome) => void;

/** What is started and drained as a worker is. */
interface Drainable {
  start(): void;
  close(): Promise<void>;
}

/** All workers of an instance: started together, and drained together before the database closes. */
export class Jobs {
  readonly #workers: readonly Drainable[];

  constructor(workers: readonly Drainable[]) {
    this.#workers = workers;
  }

  start(): void {
    for (const worker of this.#workers) worker.start();
  }

  /** Claims no more, and waits until what is running has ended or given its jobs back. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}
