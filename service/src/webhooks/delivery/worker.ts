import type { SecretBox } from '../../kernel/secret-box.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';

import type { ActDeps } from '../../kernel/audit/index.ts';
import type { Database, Schema } from '../../kernel/db/index.ts';
import type { ResolveName } from '../../kernel/egress/index.ts';
import {
  CLOCKS_DIFFER_MS,
  endFarPauses,
  type JobOutcome,
  type JobWatcher,
  released,
  Worker,
} from '../../kernel/jobs/index.ts';
import { bodyOf } from '../events.ts';
import { openSecrets, signedHeaders } from '../secret.ts';
import { enqueueThresholds } from '../enqueue.ts';
import { type Batch, claimBatches, DEFAULT_BOUNDS, type DeliveryBounds } from './claim.ts';
import type { Attempt, Sender } from './send.ts';
import { ALLOWANCES, Throttle } from '../../kernel/limits/throttle.ts';
import { enqueueMail } from '../../kernel/mail/index.ts';
import { slugsOf, ownerAddresses } from '../../workspaces/index.ts';
import { WHY_DISABLED } from '../endpoints.ts';
import { disableIn, giveUpWaiting } from '../giving-up.ts';
import { healthAfter, isDead, MAX_REST_MS, MAX_RETRY_AFTER_MS, nextAttemptMs, restMs } from '../retry.ts';

/** The dependencies of deliveries. */
export interface DeliveryParts extends ActDeps {
  box: SecretBox;
  /** True if http and addresses of this network may be used. */
  allowPrivate: boolean;
  /** True if owners get mail when an endpoint is disabled. */
  sendsMail: boolean;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** See `WorkerOptions`. */
  clockFault?: (() => string | undefined) | undefined;
  /** Called for every attempt: each delivery is a job. */
  watch?: JobWatcher | undefined;
  random?: () => number;
  bounds?: DeliveryBounds;
  /** Finds a name's addresses: see `SenderOptions`. */
  resolve?: ResolveName;
}

/** Workspaces with a slow endpoint that are remembered. */
const MOST_SLOW = 1_000;

/**
 * Returns a worker that delivers due events. Its job is a batch; at most half of the batches are for endpoints that
 * failed last time, or of workspaces with a slow one. A batch that proves slow leaves its place to another.
 */
export function deliveryWorker(deps: DeliveryParts): Worker<Batch> {
  const { database, clock, log, bounds = DEFAULT_BOUNDS } = deps;
  /** Running batches but those that took so long that they left their places. */
  let placed = 0;
  let restrainedRunning = 0;
  const slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: bounds.slowForMs });
  /** Loaded with the first delivery: most services have no receiver. */
  let sender: Promise<Sender> | undefined;
  return new Worker({
    queue: 'webhooks',
    concurrency: bounds.endpoints + bounds.slowEndpoints,
    pollMs: bounds.pollMs,
    graceMs: bounds.graceMs,
    clock,
    clockFault: deps.clockFault,
    log,
    endPauses: (nowMs) => endPauses(database, nowMs),
    claim: async (free) => {
      await enqueueThresholds(database, clock());
      const all = Math.min(free, bounds.endpoints - placed);
      const restrained = Math.ceil(bounds.endpoints / 2) - restrainedRunning;
      return claimBatches(database, { all, restrained, slow: [...slow.keys()] }, clock(), bounds);
    },
    run: async (batch, signal) => {
      placed += 1;
      if (batch.isRestrained) restrainedRunning += 1;
      let isSlow = false;
      const timer = setTimeout(() => {
        slow.set(batch.workspaceId, true);
        if (batch.isRestrained) return;
        isSlow = true;
        placed -= 1;
      }, bounds.slowMs);
      try {
        return await deliver(deps, await (sender ??= openSender(deps, bounds)), batch, signal);
      } finally {
        clearTimeout(timer);
        if (!isSlow) placed -= 1;
        if (batch.isRestrained) restrainedRunning -= 1;
      }
    },
    end: async () => (await sender)?.close(),
  });
}

/**
 * Ends pauses that a clock that was ahead made too long. A receiver may ask for a longer one than ours with Retry-After:
 * that of an endpoint is too long only where the attempt behind it seems to be yet to come.
 */
async function endPauses({ kysely }: Database, nowMs: number): Promise<void> {
  const where = sql<boolean>`EXISTS (
    SELECT 1 FROM webhook_deliveries AS d WHERE d.endpoint_id = webhook_endpoints.id
    AND d.attempted_at > ${nowMs + CLOCKS_DIFFER_MS} AND d.attempted_at <= webhook_endpoints.run_at)`;
  await endFarPauses(kysely, { table: 'webhook_deliveries', firstMs: 0, mostMs: MAX_RETRY_AFTER_MS }, nowMs);
  await endFarPauses(kysely, { table: 'webhook_endpoints', mostMs: MAX_RETRY_AFTER_MS }, nowMs);
  await endFarPauses(kysely, { table: 'webhook_endpoints', mostMs: MAX_REST_MS, where }, nowMs);
}

async function openSender(deps: DeliveryParts, bounds: DeliveryBounds): Promise<Sender> {
  const { timeoutMs, endpoints, slowEndpoints, perEndpoint } = bounds;
  const { Sender } = await import('./send.ts');
  // Leases bound an endpoint: those of several workspaces may be at one server, and none waits for another there.
  return new Sender({ ...deps, timeoutMs, concurrent: (endpoints + slowEndpoints) * perEndpoint });
}

async function deliver(deps: DeliveryParts, sender: Sender, batch: Batch, signal: AbortSignal): Promise<JobOutcome> {
  const { database, clock, random = Math.random, sendsMail } = deps;
  const attempted = (await post(deps, sender, batch, signal)).filter((one) => one !== undefined);
  // Stopped midway: answered deliveries are stored, the others released.
  if (signal.aborted && attempted.length === 0) {
    await endLease(database.kysely, batch, clock());
    return 'released';
  }
  const isDisabled = await finishBatch(database, batch, attempted, { nowMs: clock(), random, sendsMail });
  if (isDisabled) await giveUpWaiting(database);
  return attempted.every(({ attempt }) => attempt.kind === 'delivered') ? 'completed' : 'failed';
}

/** The attempt at what no secret can sign: it is not sent, and the page says to rotate the secret. */
const UNSIGNED: Attempt = { kind: 'unanswered', fault: 'secret not readable' };

async function post(
  { clock, box, log, watch }: DeliveryParts,
  sender: Sender,
  batch: Batch,
  signal: AbortSignal,
): Promise<(Attempted | undefined)[]> {
  const secrets = openSecrets(box, batch.secrets, batch.endpointId);
  return Promise.all(
    batch.deliveries.map(async (delivery) => {
      const body = bodyOf(delivery.type, delivery.data, delivery.created_at);
      const headers = signedHeaders(delivery.event_id, clock(), body, secrets);
      const attempt = secrets.length === 0 ? UNSIGNED : await sender.post(batch.url, headers, body, signal);
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

/** An attempt that was made. */
interface Attempted {
  delivery: Batch['deliveries'][number];
  attempt: Attempt;
}

interface At {
  nowMs: number;
  /** Returns a random number, at least 0, below 1; a new one each time. */
  random: () => number;
  /** True if owners get mail. */
  sendsMail: boolean;
}

/**
 * Stores the outcome of a batch and ends its lease, in one transaction.
 *
 * If the lease has ended, another worker has the endpoint: attempts are stored unless that worker has made one since,
 * and the endpoint is left to it.
 *
 * @returns whether the endpoint was disabled because of it.
 */
async function finishBatch(
  database: Database,
  batch: Batch,
  attempted: readonly Attempted[],
  at: At,
): Promise<boolean> {
  const { nowMs } = at;
  return database.kysely.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', batch.endpointId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    for (const one of attempted) await storeAttempt(transaction, one, at);
    if (endpoint.url !== batch.url) {
      // What the earlier receiver answered says nothing about the one that has its place.
      await endLease(transaction, batch, nowMs);
      return false;
    }
    const delivered = attempted.filter(({ attempt }) => attempt.kind === 'delivered').length;
    const before = { failures: endpoint.failures, failingSinceMs: endpoint.failing_since };
    const health = healthAfter(before, { delivered, failed: attempted.length - delivered }, nowMs);
    await transaction
      .updateTable('webhook_endpoints')
      .set({ failures: health.failures, failing_since: health.failingSinceMs })
      .$if(endpoint.locked_by === batch.lockedBy, (query) =>
        query.set(released(Math.max(nowMs + restMs(health), ...attempted.map(askedFor(nowMs))))),
      )
      .where('id', '=', batch.endpointId)
      .execute();
    const isGone = attempted.some(({ attempt }) => attempt.kind === 'gone');
    if (endpoint.disabled_at !== null || !(isGone || isDead(health, nowMs))) return false;
    const why = isGone ? 'gone' : 'failing';
    await disableIn(transaction, batch.endpointId, why, nowMs);
    if (at.sendsMail) await mailOwners(transaction, batch, why, nowMs);
    return true;
  });
}

/** Releases a lease as if it had not been taken: another instance may claim the endpoint at once. */
async function endLease(kysely: Kysely<Schema>, { endpointId, lockedBy }: Batch, nowMs: number): Promise<void> {
  await kysely
    .updateTable('webhook_endpoints')
    .set(released(nowMs))
    .where('id', '=', endpointId)
    .where('locked_by', '=', lockedBy)
    .execute();
}

async function storeAttempt(transaction: Transaction<Schema>, { delivery, attempt }: Attempted, at: At): Promise<void> {
  const attempts = delivery.attempts + 1;
  const stored = {
    attempts,
    attempted_at: at.nowMs,
    status: attempt.kind === 'unanswered' ? null : attempt.status,
    last_error: attempt.kind === 'unanswered' ? attempt.fault : null,
  };
  const update = transaction
    .updateTable('webhook_deliveries')
    .where('event_id', '=', delivery.event_id)
    .where('endpoint_id', '=', delivery.endpoint_id)
    // Another worker may have made an attempt since, or someone may have enqueued it again.
    .where('attempts', '=', delivery.attempts);
  if (attempt.kind === 'delivered') {
    await update.set({ ...stored, state: 'delivered', run_at: null }).execute();
    return;
  }
  const retryAfterMs = attempt.kind === 'failed' ? attempt.retryAfterMs : undefined;
  const runAtMs = nextAttemptMs(attempts, at.nowMs, at.random(), retryAfterMs);
  const next =
    runAtMs === undefined ? { state: 'failed' as const, run_at: null } : { state: 'pending' as const, run_at: runAtMs };
  // A delivery that failed because its endpoint was disabled stays failed.
  await update
    .set({ ...stored, ...next })
    .where('state', '=', 'pending')
    .execute();
}

/** Returns a function that says when the receiver's Retry-After ends. */
function askedFor(nowMs: number): (attempted: Attempted) => number {
  return ({ attempt }) => nowMs + (attempt.kind === 'failed' ? (attempt.retryAfterMs ?? 0) : 0);
}

/**
 * Enqueues a message to a workspace's owners that an endpoint was disabled. Any member can have that happen as often as
 * they like, so only the first few of a day are mailed for each endpoint: none keeps the owners from hearing of another.
 */
async function mailOwners(
  transaction: Transaction<Schema>,
  { endpointId, workspaceId, url }: Pick<Batch, 'endpointId' | 'workspaceId' | 'url'>,
  why: 'gone' | 'failing',
  atMs: number,
): Promise<void> {
  const throttle = new Throttle({ kysely: transaction }, () => atMs);
  const wait = await throttle.countInTurn(
    [ALLOWANCES.endpointDisabledMail, endpointId],
    [ALLOWANCES.webhookDisabledMail, workspaceId],
  );
  if (wait !== undefined) return;
  const slug = (await slugsOf({ kysely: transaction }, [workspaceId])).get(workspaceId) ?? '';
  const text = [
    // The path may be a secret: the host is enough to distinguish them.
    `The webhook of ${slug} at ${new URL(url).host} is disabled. ${WHY_DISABLED[why]}`,
    '',
    'Pending events were not delivered. After you enable the webhook, you can send them again in the portal:',
    `Portal, ${slug}, Webhooks.`,
  ].join('\n');
  for (const to of await ownerAddresses({ transaction }, workspaceId)) {
    await enqueueMail(transaction, { to, subject: `A webhook of ${slug} is disabled`, text }, atMs);
  }
}
