import type { VehicleReport } from '@marque/decoder';
import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import type { JobWatcher, Schedule } from '../kernel/jobs/index.ts';
import { readStoredAnswer } from './answer.ts';
import { DEFAULT_BOUNDS, type EnrichmentBounds } from './bounds.ts';
import { completeReport, isUseful, type NamedVehicle } from './complete.ts';
import { findState, reassign, enqueue } from './queue/ask.ts';
import { endOverdue, prune } from './queue/tidy.ts';
import { waitFor } from './queue/pending.ts';
import type { CorrectedDecoder } from '../corrections/index.ts';
import { workspaceIdOf } from '../metering/index.ts';
import { SourceStats, type SourceStatus, sourceStatuses } from './status.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Source } from './source.ts';
import { type LookUpDeps, lookUpWorker } from './worker.ts';

/** How often overdue VINs and expired results are looked for. */
const TIDY_MS = 60_000;

/** The outcome of enriching a report. */
export type Completion =
  /** The best available report, completed or unchanged. */
  { kind: 'settled'; report: VehicleReport } | { kind: 'pending'; retryAfterSeconds: number };

/** The caller's subject, and how many decodes are left: this many VINs may be pending at once. */
export interface Asker {
  subject: string;
  isPublic: boolean;
  /** Null: no limit. */
  remaining: number | null;
}

/** What enrichment needs. */
export interface EnrichmentDeps {
  database: Database;
  /** In the order in which they are asked. At least one. */
  sources: readonly Source[];
  /** What the VIN alone says; corrections are applied to completed reports, too: they take precedence over sources. */
  decoder: Pick<CorrectedDecoder, 'decode' | 'correct'>;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  watch?: JobWatcher | undefined;
  random?: () => number;
  bounds?: EnrichmentBounds;
}

/** Completes reports that do not name their vehicle, with data from external sources. */
export class Enrichment {
  readonly #deps: EnrichmentDeps & Required<Pick<EnrichmentDeps, 'random' | 'bounds'>>;
  readonly #workers: ReadonlyMap<string, ReturnType<typeof lookUpWorker>>;
  readonly #stats: SourceStats;

  constructor(deps: EnrichmentDeps) {
    this.#deps = { random: Math.random, bounds: DEFAULT_BOUNDS, ...deps };
    const worker: LookUpDeps = {
      ...this.#deps,
      covering: (vin) => this.#covering(vin),
      isSound: (vin, { answer }) =>
        completeReport(this.#deps.decoder.decode(vin), answer, this.#thisYear()) !== undefined,
    };
    this.#workers = new Map(deps.sources.map((source) => [source.name, lookUpWorker(worker, source)]));
    this.#stats = new SourceStats(deps.database);
  }

  /** Starts to look up queued VINs. */
  start(): void {
    for (const worker of this.#workers.values()) worker.start();
  }

  /** Whether a report should be enriched: it does not name the vehicle, and a source covers it. No I/O. */
  concerns(report: Pick<VehicleReport, 'vin'> & NamedVehicle): boolean {
    return !isUseful(report) && this.#deps.sources.some((source) => source.covers(report.vin));
  }

  /** Completes a report for which `concerns` is true, or adds its VIN to the queue. */
  async complete(report: VehicleReport, asker: Asker): Promise<Completion> {
    const { database, clock, bounds, decoder } = this.#deps;
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
    const { subject, isPublic, remaining } = asker;
    const order = { vin: report.vin, source, subject, isPublic, most: remaining };
    if ((await enqueue(database, order, nowMs, bounds)) === 'full') return { kind: 'settled', report };
    this.#workers.get(source)?.wake();
    if (!(await this.#noteWaiter(report.vin, asker))) return this.complete(report, asker);
    return this.#pending(source, nowMs, { createdAtMs: nowMs, deadlineAtMs: nowMs + bounds.deadlineMs });
  }

  /** Runs once a minute, on one instance for all: ends overdue look-ups, and removes expired results. */
  schedules(): Schedule[] {
    const { database, clock, bounds } = this.#deps;
    const run = async (): Promise<void> => {
      await endOverdue(database, clock(), bounds);
      await prune(database, clock(), bounds);
    };
    return [{ name: 'enrichment', everyMs: TIDY_MS, run }];
  }

  /** The state of the sources, for the administration pages. */
  statuses(): Promise<SourceStatus[]> {
    const { database, sources, clock, bounds } = this.#deps;
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
    return workspaceId === undefined || waitFor(this.#deps.database, vin, workspaceId);
  }

  #covering(vin: string): string[] {
    return this.#deps.sources.filter((source) => source.covers(vin)).map(({ name }) => name);
  }

  #thisYear(): number {
    return new Date(this.#deps.clock()).getUTCFullYear();
  }
}
