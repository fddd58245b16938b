import { AggregatorRegistry, Registry } from 'prom-client';

import { addProcessMetrics } from '../kernel/telemetry/metrics.ts';
import type { ProcessMetrics } from './channel.ts';

/** Types of metrics that only rise. In the JSON they are names, whatever prom-client's types say. */
const KEPT = new Set(['counter', 'histogram']);

/** A worker as far as its metrics are asked for. */
interface Asked {
  metrics: () => Promise<ProcessMetrics>;
}

/** The metrics of all processes as one text. */
export class ClusterMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #own = new Registry();
  readonly #latest = new Map<Asked, ProcessMetrics>();
  /** What workers that have ended counted: without it sums would fall, which Prometheus takes for a restart. */
  #ended: ProcessMetrics = [];

  constructor() {
    addProcessMetrics(this.#own);
  }

  add(worker: Asked): void {
    this.#latest.set(worker, []);
  }

  /** Keeps what an ended worker counted until it was asked last. */
  async remove(worker: Asked): Promise<void> {
    const counted = this.#latest.get(worker)?.filter(({ type }) => KEPT.has(String(type))) ?? [];
    this.#latest.delete(worker);
    this.#ended = await sumOf([this.#ended, counted]).getMetricsAsJSON();
  }

  /** Asks every worker; one that does not answer counts with what it said last. */
  async metrics(): Promise<string> {
    await Promise.allSettled(
      [...this.#latest.keys()].map(async (worker) => {
        const metrics = await worker.metrics();
        if (this.#latest.has(worker)) this.#latest.set(worker, metrics);
      }),
    );
    return sumOf([await this.#own.getMetricsAsJSON(), this.#ended, ...this.#latest.values()]).metrics();
  }
}

function sumOf(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}
