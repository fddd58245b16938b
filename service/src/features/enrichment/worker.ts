import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { type JobOutcome, type JobWatcher, Worker } from '../../platform/jobs/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { claimJobs } from './queue/claim.ts';
import { finishJob, releaseJob } from './queue/finish.ts';
import type { Job } from './queue/job.ts';
import type { LookUp, Source } from './source.ts';

/** What a worker needs. */
export interface LookUpDeps {
  database: Database;
  clock: Clock;
  /** At least 0, below 1. */
  random: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  watch?: JobWatcher | undefined;
  bounds: EnrichmentBounds;
  /** Whether an answer, cleaned, names the vehicle and agrees with its VIN. */
  isSound: (vin: string, result: Extract<LookUp, { kind: 'found' }>) => boolean;
  /** Names of the sources that cover a VIN, in the order in which they are asked. */
  covering: (vin: string) => string[];
}

/** Looks up VINs at one source, as long as it is started. */
export class LookUpWorker {
  readonly #deps: LookUpDeps;
  readonly #source: Source;
  readonly #worker: Worker<Job>;

  constructor(deps: LookUpDeps, source: Source) {
    this.#deps = deps;
    this.#source = source;
    const { database, clock, bounds, log, watch } = deps;
    this.#worker = new Worker({
      queue: `enrichment:${source.name}`,
      concurrency: source.rateLimit.concurrent,
      pollMs: bounds.pollMs,
      clock,
      log,
      watch,
      claim: (limit) => claimJobs(database, source, limit, clock(), bounds),
      run: (job, signal) => this.#lookUp(job, signal),
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** There may be work: looks at once. */
  wake(): void {
    this.#worker.wake();
  }

  /** Ends what is under way, gives the VINs back, and takes no more. */
  async close(): Promise<void> {
    await this.#worker.close();
    await this.#source.close();
  }

  async #lookUp(job: Job, stop: AbortSignal): Promise<JobOutcome> {
    const { database, clock, random, log, bounds, covering } = this.#deps;
    const { name } = this.#source;
    const beganMs = performance.now();
    const result = await this.#ask(job.vin, stop);
    if (stop.aborted && result.kind === 'failed') {
      await releaseJob(database, job, clock());
      return 'released';
    }
    const tookMs = performance.now() - beganMs;
    const finished = { job, source: name, result, tookMs, covering: covering(job.vin) };
    await finishJob(database, finished, { nowMs: clock(), random: random(), bounds });
    if (result.kind !== 'failed') return 'completed';
    log.warn({ source: name, reason: result.reason }, 'enrichment look-up failed');
    return 'failed';
  }

  async #ask(vin: string, stop: AbortSignal): Promise<LookUp> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.#source.timeoutMs)]);
    try {
      const result = await this.#source.lookUp(vin, signal);
      if (result.kind !== 'found' || this.#deps.isSound(vin, result)) return result;
      this.#deps.log.info({ source: this.#source.name }, 'enrichment answer does not fit its VIN');
      return { kind: 'nothing' };
    } catch (error) {
      this.#deps.log.error({ err: error, source: this.#source.name }, 'enrichment source failed');
      return { kind: 'failed', reason: 'bug' };
    }
  }
}
