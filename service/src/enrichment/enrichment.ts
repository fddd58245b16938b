import type { VehicleReport } from '@marque/decoder';
import type { FastifyBaseLogger } from 'fastify';

import type { ActDeps } from '../kernel/audit/index.ts';
import {
  endFarPauses,
  type JobOutcome,
  type JobWatcher,
  type Lease,
  type Schedule,
  Worker,
} from '../kernel/jobs/index.ts';
import { type LookUp, readStoredAnswer, type Source } from './source.ts';
import { DEFAULT_BOUNDS, type EnrichmentBounds } from './bounds.ts';
import { completeReport, isUseful, type NamedVehicle } from './complete.ts';
import { enqueue, findState, reassign, tidy } from './queue/ask.ts';
import { waitFor } from './queue/pending.ts';
import type { Usage } from '../metering/index.ts';
import type { CorrectedDecoder } from '../corrections/index.ts';
import { workspaceIdOf } from '../workspaces/index.ts';
import { retryAfterSeconds } from './queue/retry-after.ts';
import { SourceStats } from './source-stats.ts';
import { type SourceStatus, sourceStatuses } from './status.ts';
import { FairOrder } from '../kernel/limits/fair-order.ts';
import { claimJobs } from './queue/claim.ts';
import { finishJob, releaseJob } from './queue/finish.ts';

/** The interval of searches for overdue VINs and expired results, in milliseconds. */
const TIDY_MS = 60_000;

/** The outcome of enriching a report. */
export type Completion =
  /** The best available report, completed or unchanged. */
  { kind: 'settled'; report: VehicleReport } | { kind: 'pending'; retryAfterSeconds: number };

/** The caller's subject and usage, which bounds its look-ups. */
interface Asker {
  subject: string;
  isPublic: boolean;
  usage: Usage;
}

/** The dependencies of enrichment. */
export interface EnrichmentParts extends ActDeps {
  /** The sources, in the order in which they are asked. At least one. */
  sources: readonly Source[];
  /** Decodes the VIN alone; corrections are applied to completed reports, too: they take precedence over sources. */
  decoder: Pick<CorrectedDecoder, 'decode' | 'correct'>;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  watch?: JobWatcher | undefined;
  /** See `WorkerOptions`. */
  clockFault?: (() => string | undefined) | undefined;
  /** Returns a random number, at least 0, below 1; a new one each time. */
  random?: () => number;
  bounds?: EnrichmentBounds;
}

/** Completes reports that do not name their vehicle, with data from external sources. */
export class Enrichment {
  readonly #parts: EnrichmentParts & Required<Pick<EnrichmentParts, 'random' | 'bounds'>>;
  readonly #workers: ReadonlyMap<string, Worker<Lease>>;
  readonly #stats: SourceStats;

  constructor(parts: EnrichmentParts) {
    this.#parts = { random: Math.random, bounds: DEFAULT_BOUNDS, ...parts };
    this.#workers = new Map(parts.sources.map((source) => [source.name, this.#workerFor(source)]));
    this.#stats = new SourceStats(parts.database);
  }

  /** Starts to look up queued VINs. */
  start(): void {
    for (const worker of this.#workers.values()) worker.start();
  }

  /** Returns true if a report should be enriched: it does not name the vehicle, and a source covers it. No I/O. */
  concerns(report: Pick<VehicleReport, 'vin'> & NamedVehicle): boolean {
    return !isUseful(report) && this.#parts.sources.some((source) => source.covers(report.vin));
  }

  /** Completes a report for which `concerns` is true, or adds its VIN to the queue. */
  async complete(report: VehicleReport, asker: Asker): Promise<Completion> {
    const { database, clock, bounds, decoder } = this.#parts;
    const [source] = this.#covering(report.vin);
    if (source === undefined) return { kind: 'settled', report };
    const nowMs = clock();
    const state = await findState(database, report.vin, nowMs);
    if (state.kind === 'found') {
      const answer = readStoredAnswer(state.answer);
      const completed = completeReport(report, answer, this.#thisYear());
      return { kind: 'settled', report: completed === undefined ? report : decoder.correct(completed) };
    }
    if (state.kind === 'nothing') return { kind: 'settled', report };
    if (state.kind === 'waiting') {
      if (!(await this.#noteWaiter(report.vin, asker))) return this.complete(report, asker);
      if (!this.#workers.has(state.source)) await reassign(database, report.vin, state.source, source, nowMs);
      return this.#pending(state.source, nowMs, state);
    }
    const request = { vin: report.vin, source, ...asker };
    if ((await enqueue(database, request, nowMs, bounds)) === 'full') return { kind: 'settled', report };
    this.#workers.get(source)?.wake();
    if (!(await this.#noteWaiter(report.vin, asker))) return this.complete(report, asker);
    return this.#pending(source, nowMs, { createdAtMs: nowMs, deadlineAtMs: nowMs + bounds.deadlineMs });
  }

  /** Runs once a minute, on one instance for all: ends overdue look-ups, and removes expired results. */
  schedules(): Schedule[] {
    const { database, clock, bounds } = this.#parts;
    return [{ name: 'enrichment', everyMs: TIDY_MS, run: (signal) => tidy(database, clock(), bounds, signal) }];
  }

  /** Returns the state of the sources, for the administration pages. */
  statuses(): Promise<SourceStatus[]> {
    const { database, sources, clock, bounds } = this.#parts;
    return sourceStatuses(
      database,
      sources.map(({ name }) => name),
      clock(),
      bounds,
    );
  }

  /** Aborts running look-ups and returns their VINs to the queue. Close it before the database. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
  }

  async #pending(
    source: string,
    nowMs: number,
    { createdAtMs, deadlineAtMs }: { createdAtMs: number; deadlineAtMs: number },
  ): Promise<Completion> {
    const { waitsMs, closedUntilMs } = await this.#stats.of(source);
    const wait = { waitsMs, ageMs: nowMs - createdAtMs, restMs: closedUntilMs - nowMs, leftMs: deadlineAtMs - nowMs };
    return { kind: 'pending', retryAfterSeconds: retryAfterSeconds(wait) };
  }

  /** Workspaces get an event when the look-up ends. False: it has ended already. */
  async #noteWaiter(vin: string, { subject }: Asker): Promise<boolean> {
    const workspaceId = workspaceIdOf(subject);
    return workspaceId === undefined || waitFor(this.#parts.database, vin, workspaceId);
  }

  /** Returns the names of the sources that cover a VIN, in the order in which they are asked. */
  #covering(vin: string): string[] {
    return this.#parts.sources.filter((source) => source.covers(vin)).map(({ name }) => name);
  }

  #thisYear(): number {
    return new Date(this.#parts.clock()).getUTCFullYear();
  }

  /** Returns a worker that looks up VINs at one source, which is closed with it. */
  #workerFor(source: Source): Worker<Lease> {
    const { database, clock, clockFault, bounds, log, watch } = this.#parts;
    const order = new FairOrder();
    return new Worker({
      queue: `enrichment:${source.name}`,
      concurrency: source.rateLimit.concurrent,
      pollMs: bounds.pollMs,
      clock,
      clockFault,
      log,
      watch,
      endPauses: (nowMs) =>
        endFarPauses(database.kysely, { table: 'enrichment_jobs', mostMs: bounds.deadlineMs }, nowMs),
      claim: (limit) => claimJobs(database, source, limit, clock(), bounds, order),
      run: (job, signal) => this.#lookUp(source, job, signal),
      end: () => source.close(),
    });
  }

  async #lookUp(source: Source, job: Lease, stop: AbortSignal): Promise<JobOutcome> {
    const { database, clock, random, log, bounds } = this.#parts;
    const { name } = source;
    const beganMs = performance.now();
    const result = await this.#ask(source, job.key, stop);
    if (stop.aborted && result.kind === 'failed') {
      await releaseJob(database, job, clock());
      return 'released';
    }
    const tookMs = performance.now() - beganMs;
    const finished = { job, source: name, result, tookMs, covering: this.#covering(job.key) };
    await finishJob(database, finished, { nowMs: clock(), random: random(), bounds });
    if (result.kind !== 'failed') return 'completed';
    log.warn({ source: name, reason: result.reason }, 'enrichment look-up failed');
    return 'failed';
  }

  async #ask(source: Source, vin: string, stop: AbortSignal): Promise<LookUp> {
    const { log } = this.#parts;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(source.timeoutMs)]);
    try {
      const result = await source.lookUp(vin, signal);
      if (result.kind !== 'found' || this.#isSound(vin, result)) return result;
      log.info({ source: source.name }, 'enrichment answer contradicts its VIN');
      return { kind: 'nothing' };
    } catch (error) {
      log.error({ err: error, source: source.name }, 'enrichment source failed');
      return { kind: 'failed', reason: 'bug' };
    }
  }

  /** Returns true if an answer, cleaned, names the vehicle and agrees with its VIN. */
  #isSound(vin: string, { answer }: Extract<LookUp, { kind: 'found' }>): boolean {
    return completeReport(this.#parts.decoder.decode(vin), answer, this.#thisYear()) !== undefined;
  }
}
