import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import type { ResolveName } from '../../kernel/egress/index.ts';
import { type JobOutcome, type JobWatcher, Worker } from '../../kernel/jobs/index.ts';
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

/** A worker that delivers due events. Its job is a batch; at most half of the batches are for endpoints that failed last time. */
export function deliveryWorker(deps: DeliveryDeps): Worker<Batch> {
  const { database, clock, log, bounds = DEFAULT_BOUNDS } = deps;
  let failingRunning = 0;
  /** Loaded with the first delivery: most services have no receiver. */
  let sender: Promise<Sender> | undefined;
  return new Worker({
    queue: 'webhooks',
    concurrency: bounds.endpoints,
    pollMs: bounds.pollMs,
    clock,
    log,
    claim: async (all) => {
      await enqueueThresholds(database, clock());
      const failing = Math.ceil(bounds.endpoints / 2) - failingRunning;
      return claimBatches(database, { all, failing }, clock(), bounds);
    },
    run: async (batch, signal) => {
      if (batch.isFailing) failingRunning += 1;
      try {
        return await deliver(deps, await (sender ??= openSender(deps, bounds)), batch, signal);
      } finally {
        if (batch.isFailing) failingRunning -= 1;
      }
    },
    end: async () => (await sender)?.close(),
  });
}

async function openSender(deps: DeliveryDeps, { timeoutMs, perEndpoint }: DeliveryBounds): Promise<Sender> {
  const { Sender } = await import('./send.ts');
  return new Sender({ ...deps, timeoutMs, concurrent: perEndpoint });
}

async function deliver(deps: DeliveryDeps, sender: Sender, batch: Batch, signal: AbortSignal): Promise<JobOutcome> {
  const { database, clock, random = Math.random, sendsMail } = deps;
  const attempted = (await post(deps, sender, batch, signal)).filter((one) => one !== undefined);
  // Stopped midway: answered deliveries are stored, the others released.
  if (signal.aborted && attempted.length === 0) {
    await releaseBatch(database, batch, clock());
    return 'released';
  }
  await finishBatch(database, batch, attempted, { nowMs: clock(), random, sendsMail });
  return attempted.every(({ attempt }) => attempt.kind === 'delivered') ? 'completed' : 'failed';
}

async function post(
  { clock, box, log, watch }: DeliveryDeps,
  sender: Sender,
  batch: Batch,
  signal: AbortSignal,
): Promise<(Attempted | undefined)[]> {
  const secrets = batch.secrets.map((sealed) => box.open(sealed, batch.endpointId));
  return Promise.all(
    batch.deliveries.map(async (delivery) => {
      const body = bodyOf(delivery.type, delivery.data, delivery.created_at);
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
