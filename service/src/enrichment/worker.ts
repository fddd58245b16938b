import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { type JobOutcome, type JobWatcher, type Lease, Worker } from '../kernel/jobs/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { claimJobs } from './queue/claim.ts';
import { finishJob, releaseJob } from './queue/finish.ts';
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

/** A worker that looks up VINs at one source, which is closed with it. */
export function lookUpWorker(deps: LookUpDeps, source: Source): Worker<Lease> {
  const { database, clock, bounds, log, watch } = deps;
  return new Worker({
    queue: `enrichment:${source.name}`,
    concurrency: source.rateLimit.concurrent,
    pollMs: bounds.pollMs,
    clock,
    log,
    watch,
    claim: (limit) => claimJobs(database, source, limit, clock(), bounds),
    run: (job, signal) => lookUp(deps, source, job, signal),
    end: () => source.close(),
  });
}

async function lookUp(deps: LookUpDeps, source: Source, job: Lease, stop: AbortSignal): Promise<JobOutcome> {
  const { database, clock, random, log, bounds, covering } = deps;
  const { name } = source;
  const beganMs = performance.now();
  const result = await ask(deps, source, job.key, stop);
  if (stop.aborted && result.kind === 'failed') {
    await releaseJob(database, job, clock());
    return 'released';
  }
  const tookMs = performance.now() - beganMs;
  const finished = { job, source: name, result, tookMs, covering: covering(job.key) };
  await finishJob(database, finished, { nowMs: clock(), random: random(), bounds });
  if (result.kind !== 'failed') return 'completed';
  log.warn({ source: name, reason: result.reason }, 'enrichment look-up failed');
  return 'failed';
}

async function ask({ log, isSound }: LookUpDeps, source: Source, vin: string, stop: AbortSignal): Promise<LookUp> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(source.timeoutMs)]);
  try {
    const result = await source.lookUp(vin, signal);
    if (result.kind !== 'found' || isSound(vin, result)) return result;
    log.info({ source: source.name }, 'enrichment answer contradicts its VIN');
    return { kind: 'nothing' };
  } catch (error) {
    log.error({ err: error, source: source.name }, 'enrichment source failed');
    return { kind: 'failed', reason: 'bug' };
  }
}
