import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { claimJobs } from './queue/claim.ts';
import { finishJob, releaseJob } from './queue/finish.ts';
import type { Job } from './queue/job.ts';
import { ClaimLoop } from '../../platform/jobs/claim-loop.ts';
import type { LookUp, Source } from './source.ts';

/** What a worker needs. */
export interface WorkerDeps {
  database: Database;
  clock: Clock;
  /** At least 0, below 1. */
  random: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  bounds: EnrichmentBounds;
  /** Whether an answer, cleaned, names the vehicle and agrees with its VIN. */
  isSound: (vin: string, result: Extract<LookUp, { kind: 'found' }>) => boolean;
  /** Names of the sources that cover a VIN, in the order in which they are asked. */
  covering: (vin: string) => string[];
}

/** Looks up VINs at one source, as long as it is started. */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #source: Source;
  readonly #stop = new AbortController();
  readonly #loop: ClaimLoop<Job>;

  constructor(deps: WorkerDeps, source: Source) {
    this.#deps = deps;
    this.#source = source;
    const { database, clock, bounds, log } = deps;
    this.#loop = new ClaimLoop({
      concurrent: source.pace.concurrent,
      pollMs: bounds.pollMs,
      clock,
      claim: (room) => claimJobs(database, source, room, clock(), bounds),
      work: (job) => this.#lookUp(job),
      failed: (error) => log.warn({ err: error, source: source.name }, 'enrichment cannot claim work'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be work: looks at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Ends what is under way, gives the VINs back, and takes no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop.close();
    await this.#source.close();
  }

  /** Never rejects: a VIN whose end cannot be stored is claimed again when its lease is over. */
  async #lookUp(job: Job): Promise<void> {
    const { database, clock, random, log, bounds, covering } = this.#deps;
    const { name } = this.#source;
    try {
      const beganMs = performance.now();
      const result = await this.#ask(job.vin);
      if (this.#stop.signal.aborted && result.kind === 'failed') {
        await releaseJob(database, job, clock());
        return;
      }
      const tookMs = performance.now() - beganMs;
      const finished = { job, source: name, result, tookMs, covering: covering(job.vin) };
      await finishJob(database, finished, { nowMs: clock(), random: random(), bounds });
      if (result.kind === 'failed') log.warn({ source: name, reason: result.reason }, 'enrichment look-up failed');
    } catch (error) {
      log.warn({ err: error, source: name }, 'enrichment cannot store a look-up');
    }
  }

  async #ask(vin: string): Promise<LookUp> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#source.timeoutMs)]);
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
