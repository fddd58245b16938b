import type { FastifyBaseLogger } from 'fastify';

import { type Clock, MINUTE_MS } from '../clock.ts';

/** The outcome of a job. `released`: returned to the queue before its end. */
export type JobOutcome = 'completed' | 'failed' | 'released';

/** Called for every job that ended. */
export type JobWatcher = (queue: string, outcome: JobOutcome) => void;

/** The jobs that a claim got, and when to claim again; infinity: only when something is enqueued. */
export interface Claimed<Job> {
  jobs: Job[];
  notBeforeMs: number;
}

/** One queue, and how its jobs are done. */
export interface WorkerOptions<Job> {
  /** The queue's name, for the log and the metrics. */
  queue: string;
  /** Jobs under way at once. */
  concurrency: number;
  /** The interval of polling for jobs that another instance left or enqueued. */
  pollMs: number;
  clock: Clock;
  /** Says what is known to be wrong with the clock; undefined: nothing. Until then nothing is claimed. */
  clockFault: (() => string | undefined) | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Makes due what was put off too far, see `endFarPauses`; called once a minute. */
  endPauses?: (nowMs: number) => Promise<void>;
  /** Claims at most `limit` jobs, so that no other worker takes them. */
  claim: (limit: number) => Promise<Claimed<Job>>;
  /**
   * Runs a job and stores its outcome. If it rejects, the job is claimed again when its lease expires.
   *
   * @param signal aborted when the job is to end before it is done.
   */
  run: (job: Job, signal: AbortSignal) => Promise<JobOutcome>;
  watch?: JobWatcher | undefined;
  /** Milliseconds that running jobs get to finish once the worker is to end; default: none. */
  graceMs?: number;
  /** Releases the resources of the jobs, once the last one has ended. */
  end?: () => Promise<void>;
}

/** Claims and runs the jobs of one queue from `start` to `close`. */
export class Worker<Job> {
  readonly #options: WorkerOptions<Job>;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  /** Ends running jobs. */
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;
  #wake: () => void = () => {};
  #isAwake = false;
  #pausesEndAtTicks = 0;

  constructor(options: WorkerOptions<Job>) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Polls at once, since there may be a job. */
  wake(): void {
    this.#isAwake = true;
    this.#wake();
  }

  /** Claims no more, aborts the running jobs after their grace, and waits for them. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    const { graceMs } = this.#options;
    if (graceMs === undefined) this.#abort.abort();
    const timer = setTimeout(() => this.#abort.abort(), graceMs);
    await Promise.all(this.#running);
    clearTimeout(timer);
    await this.#options.end?.();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#isAwake = false;
      const waitMs = await this.#claim();
      await this.#pause(waitMs);
    }
  }

  /** Starts the jobs that can start. @returns the time until more may. */
  async #claim(): Promise<number> {
    const { queue, concurrency, pollMs, clock, clockFault, claim, endPauses, log } = this.#options;
    const free = concurrency - this.#running.size;
    // By a clock that is ahead, jobs of others would seem free, and all that waits due.
    if (free <= 0 || clockFault?.() !== undefined) return pollMs;
    try {
      if (performance.now() >= this.#pausesEndAtTicks) {
        await endPauses?.(clock());
        this.#pausesEndAtTicks = performance.now() + MINUTE_MS;
      }
      const { jobs, notBeforeMs } = await claim(free);
      for (const job of jobs) this.#begin(job);
      return Math.min(Math.max(notBeforeMs - clock(), 0), pollMs);
    } catch (error) {
      log.warn({ err: error, queue }, 'jobs cannot be claimed');
      return pollMs;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#isAwake) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(job: Job): void {
    const running = this.#do(job).finally(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.add(running);
  }

  async #do(job: Job): Promise<void> {
    const { queue, run, log, watch } = this.#options;
    try {
      const outcome = await run(job, this.#abort.signal);
      watch?.(queue, outcome);
    } catch (error) {
      log.warn({ err: error, queue }, 'the outcome of a job could not be stored; it runs again when its lease ends');
      watch?.(queue, 'failed');
    }
  }
}
