import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { claimJobs } from './queue/claim.ts';
import { finishJob, releaseJob } from './queue/finish.ts';
import type { Job } from './queue/job.ts';
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
  readonly #underWay = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  #wake: () => void = () => {};
  #awake = false;

  constructor(deps: WorkerDeps, source: Source) {
    this.#deps = deps;
    this.#source = source;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** There may be work: looks at once. */
  wake(): void {
    this.#awake = true;
    this.#wake();
  }

  /** Ends what is under way, gives the VINs back, and takes no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#underWay);
    await this.#source.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#awake = false;
      const waitMs = await this.#claim();
      await this.#pause(waitMs);
    }
  }

  /** Begins what can begin. Gives the time until more may. */
  async #claim(): Promise<number> {
    const { database, clock, bounds, log } = this.#deps;
    const room = this.#source.pace.concurrent - this.#underWay.size;
    if (room <= 0) return bounds.pollMs;
    try {
      const { jobs, notBeforeMs } = await claimJobs(database, this.#source, room, clock(), bounds);
      for (const job of jobs) this.#begin(job);
      return Math.min(Math.max(notBeforeMs - clock(), 0), bounds.pollMs);
    } catch (error) {
      log.warn({ err: error, source: this.#source.name }, 'enrichment cannot claim work');
      return bounds.pollMs;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#awake) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(job: Job): void {
    const task = this.#lookUp(job).finally(() => {
      this.#underWay.delete(task);
      this.wake();
    });
    this.#underWay.add(task);
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
