import type { Transaction } from 'kysely';

import type { Database, Schema } from '../../kernel/db/index.ts';
import { released } from '../../kernel/jobs/index.ts';
import { enqueueMail } from '../../kernel/mail/index.ts';
import { disableIn } from '../endpoints.ts';
import { healthAfter, isDead, nextAttemptMs, restMs } from '../retry.ts';
import type { Batch } from './claim.ts';
import type { Attempt } from './send.ts';

/** An attempt that was made. */
export interface Attempted {
  delivery: Batch['deliveries'][number];
  attempt: Attempt;
}

interface At {
  nowMs: number;
  /** At least 0, below 1; a new one each time. */
  random: () => number;
  /** Whether owners get mail. */
  sendsMail: boolean;
}

/**
 * Stores the outcome of a batch and ends its lease, in one transaction.
 *
 * Where the lease ended meanwhile another worker has the endpoint: the attempts are stored, where no other one has made
 * one since, and the endpoint is left to that worker.
 */
export async function finishBatch(
  database: Database,
  batch: Batch,
  attempted: readonly Attempted[],
  at: At,
): Promise<void> {
  const { nowMs } = at;
  await database.kysely.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', batch.endpointId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (endpoint === undefined) return;
    for (const one of attempted) await storeAttempt(transaction, one, at);
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
    if (endpoint.disabled_at !== null || !(isGone || isDead(health, nowMs))) return;
    const why = isGone ? 'gone' : 'failing';
    await disableIn(transaction, batch.endpointId, why, nowMs);
    if (at.sendsMail) await mailOwners(transaction, batch, why, nowMs);
  });
}

/** Releases a lease as if it had not been taken: another instance may claim the endpoint at once. */
export async function releaseBatch(
  { kysely }: Database,
  { endpointId, lockedBy }: Batch,
  nowMs: number,
): Promise<void> {
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
  // One that was given up in the meantime, because its endpoint was disabled, stays so.
  await update
    .set({ ...stored, ...next })
    .where('state', '=', 'pending')
    .execute();
}

/** When a receiver's Retry-After ends. */
function askedFor(nowMs: number): (attempted: Attempted) => number {
  return ({ attempt }) => nowMs + (attempt.kind === 'failed' ? (attempt.retryAfterMs ?? 0) : 0);
}

const WHY = {
  gone: 'It answered 410 Gone, which means that it does not want any more events.',
  failing: 'No event could be delivered for two days.',
} as const;

/** Enqueues a message to a workspace's owners that an endpoint was disabled. */
async function mailOwners(
  transaction: Transaction<Schema>,
  { workspaceId, url }: Pick<Batch, 'workspaceId' | 'url'>,
  why: 'gone' | 'failing',
  atMs: number,
): Promise<void> {
  const owners = await transaction
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select(['email', 'slug'])
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .execute();
  for (const { email, slug } of owners) {
    const text = [
      // The path may be a secret: the host is enough to distinguish them.
      `The webhook of ${slug} at ${new URL(url).host} is disabled. ${WHY[why]}`,
      '',
      'Pending events were not delivered. After you enable the webhook, you can send them again in the portal:',
      `Portal, ${slug}, Webhooks.`,
    ].join('\n');
    await enqueueMail(transaction, { to: email, subject: `A webhook of ${slug} is disabled`, text }, atMs);
  }
}
