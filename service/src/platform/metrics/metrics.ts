import type { CatalogInfo } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Standing } from './standing.ts';

/** Seconds. A decode takes under a millisecond, its charge a few; the last ones are the limits of waiting. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What one instance has to tell. */
export class Metrics {
  readonly registry = new Registry();
  readonly #decodes = new Counter({
    name: 'marque_decodes_total',
    help: 'VINs by what became of them: identified, partial and segments are charged; pending, limit_reached and overloaded are not.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #webhooks = new Counter({
    name: 'marque_webhook_tries_total',
    help: 'Tries to deliver an event to an endpoint, by what became of them: delivered or failed.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'marque_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });

  constructor(info: CatalogInfo, waiting: () => number, standing: () => Promise<Standing>) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'marque_catalog_info',
      help: 'The catalog in use, always 1.',
      labelNames: ['hash', 'format'],
      registers,
    }).set({ hash: info.hash.slice(0, 12), format: String(info.formatVersion) }, 1);
    addAsked(this.registry, 'marque_charge_queue_decodes', 'Decodes that wait for their transaction.', waiting);
    addStanding(this.registry, standing);
  }

  /** Times the answers of every route that is added after it. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: String(reply.statusCode),
      };
      this.#requests.observe(labels, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Counts a try to deliver an event. */
  countWebhook(outcome: 'delivered' | 'failed'): void {
    this.#webhooks.inc({ outcome });
  }

  /** Counts one VIN by its outcome. */
  countDecode(outcome: string): void {
    this.#decodes.inc({ outcome });
  }

  /** Counts VINs that were not answered. */
  countRefused(outcome: 'overloaded' | 'limit_reached', vins: number): void {
    if (vins > 0) this.#decodes.inc({ outcome }, vins);
  }
}

/** A gauge that is asked for its value at each scrape. */
function addAsked(registry: Registry, name: string, help: string, value: () => number | Promise<number>): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      gauge.set(await value());
    },
  });
  registry.registerMetric(gauge);
}

/** What is asked of the database: the same from every instance on it. */
function addStanding(registry: Registry, standing: () => Promise<Standing>): void {
  const gauge = (name: string, help: string, value: (now: Standing) => number): void =>
    addAsked(registry, name, help, async () => value(await standing()));
  gauge('marque_database_up', 'Whether the database answered when it was asked for the figures below.', (now) =>
    now.kind === 'known' ? 1 : 0,
  );
  gauge(
    'marque_ledger_mismatches',
    'Subjects whose counter of this month differs from their ledger. Anything but 0 is a fault; NaN: not known.',
    (now) => (now.kind === 'known' ? now.ledgerMismatches : Number.NaN),
  );
  gauge('marque_enrichment_waiting', 'VINs that wait to be looked up outside.', (now) =>
    now.kind === 'known' ? now.enrichmentWaiting : Number.NaN,
  );
  gauge('marque_enrichment_oldest_seconds', 'How long the oldest of them has waited; 0: none does.', (now) =>
    now.kind === 'known' ? now.enrichmentOldestSeconds : Number.NaN,
  );
  gauge('marque_webhooks_waiting', 'Events that wait to be delivered, those between two tries included.', (now) =>
    now.kind === 'known' ? now.webhooksWaiting : Number.NaN,
  );
  gauge(
    'marque_webhooks_overdue_seconds',
    'For how long the next try of one of them has been due; 0: none is.',
    (now) => (now.kind === 'known' ? now.webhooksOverdueSeconds : Number.NaN),
  );
}
