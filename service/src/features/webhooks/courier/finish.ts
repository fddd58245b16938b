import type { Transaction } from 'kysely';

import type { Database, Schema } from '../../../platform/db/index.ts';
import { disableIn } from '../endpoints.ts';
import { healthAfter, isDead, nextTryMs, restMs } from '../retry.ts';
import type { Round } from './claim.ts';
import { tellOwners } from './letter.ts';
import type { Attempt } from './send.ts';

/** A try that was made. */
export interface Tried {
  delivery: Round['deliveries'][number];
  attempt: Attempt;
}

interface At {
  nowMs: number;
  /** At least 0, below 1; a new one each time. */
  random: () => number;
  /** Whether owners are told by mail. */
  sendsMail: boolean;
}

/**
 * Stores what became of a round, and frees the endpoint. All of it in one transaction.
 *
 * Where the claim ran out meanwhile the endpoint is another holder's: what was tried is noted, where nobody else has
 * tried it since, and the endpoint is left to that one.
 */
export async function finishRound(database: Database, round: Round, tried: readonly Tried[], at: At): Promise<void> {
  const { nowMs } = at;
  await database.kysely.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', round.endpointId)
      .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    if (endpoint === undefined) return;
    for (const one of tried) await noteTry(transaction, one, at);
    const delivered = tried.filter(({ attempt }) => attempt.kind === 'delivered').length;
    const before = { failures: endpoint.failures, failingSinceMs: endpoint.failing_since };
    const health = healthAfter(before, { delivered, failed: tried.length - delivered }, nowMs);
    await transaction
      .updateTable('webhook_endpoints')
      .set({ failures: health.failures, failing_since: health.failingSinceMs })
      .$if(endpoint.holder === round.holder, (query) =>
        query.set({ holder: null, free_at: Math.max(nowMs + restMs(health), ...tried.map(askedFor(nowMs))) }),
      )
      .where('id', '=', round.endpointId)
      .execute();
    const isGone = tried.some(({ attempt }) => attempt.kind === 'gone');
    if (endpoint.disabled_at !== null || !(isGone || isDead(health, nowMs))) return;
    const why = isGone ? 'gone' : 'failing';
    await disableIn(transaction, round.endpointId, why, nowMs);
    if (at.sendsMail) await tellOwners(transaction, round, why, nowMs);
  });
}

/** Gives a claim back, as if it had not been made: another instance may have the endpoint at once. */
export async function releaseRound({ kysely }: Database, { endpointId, holder }: Round, nowMs: number): Promise<void> {
  await kysely
    .updateTable('webhook_endpoints')
    .set({ holder: null, free_at: nowMs })
    .where('id', '=', endpointId)
    .where('holder', '=', holder)
    .execute();
}

async function noteTry(transaction: Transaction<Schema>, { delivery, attempt }: Tried, at: At): Promise<void> {
  const tries = delivery.tries + 1;
  const noted = {
    tries,
    tried_at: at.nowMs,
    status: attempt.kind === 'unanswered' ? null : attempt.status,
    fault: attempt.kind === 'unanswered' ? attempt.fault : null,
  };
  const update = transaction
    .updateTable('webhook_deliveries')
    .where('event_id', '=', delivery.event_id)
    .where('endpoint_id', '=', delivery.endpoint_id)
    // Somebody else may have tried it since, or put it on its way anew.
    .where('tries', '=', delivery.tries);
  if (attempt.kind === 'delivered') {
    await update.set({ ...noted, state: 'delivered', due_at: null }).execute();
    return;
  }
  const retryAfterMs = attempt.kind === 'failed' ? attempt.retryAfterMs : undefined;
  const dueAtMs = nextTryMs(tries, at.nowMs, at.random(), retryAfterMs);
  const next =
    dueAtMs === undefined ? { state: 'failed' as const, due_at: null } : { state: 'waiting' as const, due_at: dueAtMs };
  // One that was given up meanwhile, since its endpoint was disabled, stays so.
  await update
    .set({ ...noted, ...next })
    .where('state', '=', 'waiting')
    .execute();
}

/** Until when a receiver asked to be left alone. */
function askedFor(nowMs: number): (tried: Tried) => number {
  return ({ attempt }) => nowMs + (attempt.kind === 'failed' ? (attempt.retryAfterMs ?? 0) : 0);
}
