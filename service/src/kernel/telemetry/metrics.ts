import type { CatalogInfo } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client';

import type { Backlog, JobWatcher } from '../jobs/index.ts';
import type { Snapshot } from './snapshot.ts';

/** Seconds. A decode takes under a millisecond, its charge a few; the last ones are the limits of waiting. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Series that alerts watch exist from the start: the first fault is a rise from 0, whereas a series that begins with it
 * shows none.
 */
const SHED_KINDS = ['paid', 'free', 'batch', 'public'];
const DECODE_STATUSES = ['200', '500', '503'];

/** Methods that have series of their own: anyone can send the thirty others that Node reads. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The metrics of one instance. */
export class Metrics {
  readonly registry = new Registry();
  readonly #decodes = new Counter({
    name: 'marque_decodes_total',
    help: 'VINs by what became of them: identified, partial, and segments are charged; pending, limit_reached, and overloaded are not.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #jobs = new Counter({
    name: 'marque_jobs_total',
    help: 'Jobs that ended, by queue and outcome: completed, failed (tried again or given up), released.',
    labelNames: ['queue', 'outcome'],
    registers: [this.registry],
  });
  readonly #shed = new Counter({
    name: 'marque_requests_shed_total',
    help: 'Requests answered 503 before anything else, because there were more than can be served, by kind: paid, free, batch, public, page.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly #unlogged = new Counter({
    name: 'marque_requests_unlogged_total',
    help: 'Requests that the portal does not list: the database did not take them in time, or the workspace has too many.',
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'marque_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });

  /** @param catalog the catalog in use, asked for each time that the numbers are read */
  constructor(catalog: () => CatalogInfo, waiting: () => number, snapshot: () => Promise<Snapshot>) {
    addProcessMetrics(this.registry);
    addCatalog(this.registry, catalog);
    addAsked(this.registry, {
      name: 'marque_charge_queue_decodes',
      help: 'Decodes that wait for their transaction.',
      aggregator: 'sum',
      collect: (gauge) => gauge.set(waiting()),
    });
    addSnapshot(this.registry, snapshot);
    for (const kind of SHED_KINDS) this.#shed.inc({ kind }, 0);
    for (const status of DECODE_STATUSES) this.#requests.zero({ method: 'POST', route: '/api/decode', status });
  }

  /** Times the answers of every route that is added after it. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const labels = {
        method: METHODS.has(request.method) ? request.method : 'other',
        route: request.routeOptions.url ?? 'unknown',
        status: String(reply.statusCode),
      };
      this.#requests.observe(labels, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Counts a job that ended. */
  readonly countJob: JobWatcher = (queue, outcome) => {
    this.#jobs.inc({ queue, outcome });
  };

  /** Counts a request that was shed. */
  readonly countShed = (kind: string): void => {
    this.#shed.inc({ kind });
  };

  /** Counts requests that were not written down. */
  readonly countUnlogged = (requests: number): void => {
    this.#unlogged.inc(requests);
  };

  /** Counts one VIN by its outcome. */
  countDecode(outcome: string): void {
    this.#decodes.inc({ outcome });
  }

  /** Counts VINs that were not answered. */
  countRefused(outcome: 'overloaded' | 'limit_reached', vins: number): void {
    if (vins > 0) this.#decodes.inc({ outcome }, vins);
  }
}

/** Gauges whose names end as only counters' may: the same numbers are there by kind. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Adds Node's process metrics. */
export function addProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
}

/** Adds a gauge that is asked for its values at each scrape. */
function addAsked(
  registry: Registry,
  {
    collect,
    ...configuration
  }: Omit<GaugeConfiguration<string>, 'collect'> & {
    collect: (gauge: Gauge) => void | Promise<void>;
  },
): void {
  const gauge: Gauge = new Gauge({ ...configuration, registers: [registry], collect: () => collect(gauge) });
}

function addCatalog(registry: Registry, catalog: () => CatalogInfo): void {
  addAsked(registry, {
    name: 'marque_catalog_info',
    help: 'The catalog in use, always 1.',
    labelNames: ['hash', 'format'],
    aggregator: 'max',
    collect: (gauge) => {
      const { hash, formatVersion } = catalog();
      gauge.reset();
      gauge.set({ hash: hash.slice(0, 12), format: String(formatVersion) }, 1);
    },
  });
}

/** Adds figures queried from the database: the same on every instance of it. */
function addSnapshot(registry: Registry, snapshot: () => Promise<Snapshot>): void {
  addAsked(registry, {
    name: 'marque_database_up',
    help: 'Whether the database answered when it was asked for the figures below.',
    aggregator: 'min',
    collect: async (gauge) => gauge.set((await snapshot()).kind === 'known' ? 1 : 0),
  });
  addAsked(registry, {
    name: 'marque_ledger_mismatches',
    help: 'Subjects whose counter of this month differs from their ledger. Anything but 0 is a fault; NaN: not known.',
    aggregator: 'max',
    collect: async (gauge) => {
      const now = await snapshot();
      gauge.set(now.kind === 'known' ? now.ledgerMismatches : Number.NaN);
    },
  });
  const addByQueue = (name: string, help: string, value: (backlog: Backlog) => number): void =>
    addAsked(registry, {
      name,
      help,
      labelNames: ['queue'],
      aggregator: 'max',
      // Without a database there are no values.
      collect: async (gauge) => {
        gauge.reset();
        const now = await snapshot();
        if (now.kind === 'known')
          for (const backlog of now.backlogs) gauge.set({ queue: backlog.queue }, value(backlog));
      },
    });
  addByQueue('marque_jobs_pending', 'Jobs that are not done.', ({ pending }) => pending);
  addByQueue(
    'marque_jobs_overdue_seconds',
    'For how long the oldest unclaimed job has been due; 0: none is.',
    ({ overdueSeconds }) => overdueSeconds,
  );
  addByQueue(
    'marque_jobs_retrying',
    'Jobs whose last attempt failed, and which are tried again.',
    ({ retrying }) => retrying,
  );
}
