import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { ResolveName } from '../../../platform/egress/index.ts';
import { type JobOutcome, type JobWatcher, Worker } from '../../../platform/jobs/index.ts';
import { bodyOf } from '../events.ts';
import { type SecretBox, signedHeaders } from '../secret.ts';
import { enqueueThresholds } from '../thresholds.ts';
import { DEFAULT_BOUNDS, type DeliveryBounds } from './bounds.ts';
import { type Batch, claimBatches } from './claim.ts';
import { type Attempted, finishBatch, releaseBatch } from './finish.ts';
import type { Sender } from './send.ts';

/** What delivering needs. */
export interface DeliveryDeps {
  database: Database;
  clock: Clock;
  box: SecretBox;
  /** Whether http and addresses of this network may be used. */
  allowPrivate: boolean;
  /** Whether owners get mail when an endpoint is disabled. */
  sendsMail: boolean;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Called for every attempt: each delivery is a job. */
  watch?: JobWatcher | undefined;
  random?: () => number;
  bounds?: DeliveryBounds;
  /** Resolves a name; by default as the system does. */
  resolve?: ResolveName;
}

/** Delivers what is due, as long as it is started. */
export class DeliveryWorker {
  readonly #deps: DeliveryDeps;
  /** Loaded with the first delivery: most services have no receiver. */
  #sender: Promise<Sender> | undefined;
  readonly #bounds: DeliveryBounds;
  readonly #worker: Worker<Batch>;
  #failingRunning = 0;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    const { database, clock, log, bounds = DEFAULT_BOUNDS } = deps;
    this.#bounds = bounds;
    this.#worker = new Worker({
      queue: 'webhooks',
      concurrency: bounds.endpoints,
      pollMs: bounds.pollMs,
      clock,
      log,
      claim: async (all) => {
        await enqueueThresholds(database, clock());
        const failing = Math.ceil(bounds.endpoints / 2) - this.#failingRunning;
        return claimBatches(database, { all, failing }, clock(), bounds);
      },
      run: (batch, signal) => this.#deliver(batch, signal),
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Looks for due deliveries at once. */
  wake(): void {
    this.#worker.wake();
  }

  /** Finishes the running deliveries, releases the others, and takes no more. Close it before the database. */
  async close(): Promise<void> {
    await this.#worker.close();
    await (await this.#sender)?.close();
  }

  async #openSender(): Promise<Sender> {
    const { Sender } = await import('./send.ts');
    return new Sender({ ...this.#deps, timeoutMs: this.#bounds.timeoutMs, concurrent: this.#bounds.perEndpoint });
  }

  async #deliver(batch: Batch, signal: AbortSignal): Promise<JobOutcome> {
    const { database, clock, random = Math.random, sendsMail } = this.#deps;
    if (batch.isFailing) this.#failingRunning += 1;
    try {
      const attempted = (await this.#post(batch, signal)).filter((one) => one !== undefined);
      // Stopped half way: answered deliveries are stored, the others released.
      if (signal.aborted && attempted.length === 0) {
        await releaseBatch(database, batch, clock());
        return 'released';
      }
      await finishBatch(database, batch, attempted, { nowMs: clock(), random, sendsMail });
      return attempted.every(({ attempt }) => attempt.kind === 'delivered') ? 'completed' : 'failed';
    } finally {
      if (batch.isFailing) this.#failingRunning -= 1;
    }
  }

  async #post(batch: Batch, signal: AbortSignal): Promise<(Attempted | undefined)[]> {
    const { clock, box, log, watch } = this.#deps;
    const secrets = batch.secrets.map((sealed) => box.open(sealed, batch.endpointId));
    const sender = await (this.#sender ??= this.#openSender());
    return Promise.all(
      batch.deliveries.map(async (delivery) => {
        const body = bodyOf(delivery);
        const headers = signedHeaders(delivery.event_id, clock(), body, secrets);
        const attempt = await sender.post(batch.url, headers, body, signal);
        if (signal.aborted && attempt.kind === 'unanswered') return undefined;
        watch?.('webhooks', attempt.kind === 'delivered' ? 'completed' : 'failed');
        if (attempt.kind !== 'delivered') {
          const { event_id: event, endpoint_id: endpoint } = delivery;
          log.info({ event, endpoint, attempts: delivery.attempts + 1, attempt }, 'webhook not delivered');
        }
        return { delivery, attempt };
      }),
    );
  }
}
