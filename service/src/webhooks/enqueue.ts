import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Database, Schema } from '../kernel/db/index.ts';
import type { NewEvent } from './events.ts';

/** The recipients of an event. */
interface Audience {
  workspaceId: string;
  /** Only this endpoint, even if it did not subscribe to the event. */
  endpointId?: string;
}

/**
 * Enqueues an event for every endpoint that subscribed to its type, in the transaction of the change that it reports:
 * there is no event without its change, and no change without its event.
 *
 * @returns the event's id; undefined: no endpoint subscribes to it
 */
export async function enqueueEvent(
  transaction: Transaction<Schema>,
  { workspaceId, endpointId }: Audience,
  { type, data }: NewEvent,
  atMs: number,
): Promise<string | undefined> {
  const endpoints = await transaction
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .where((where) =>
      endpointId === undefined
        ? where('id', 'in', where.selectFrom('webhook_subscriptions').select('endpoint_id').where('event', '=', type))
        : where('id', '=', endpointId),
    )
    .orderBy('id')
    // An endpoint that is deleted concurrently must not fail this transaction.
    .forKeyShare()
    .execute();
  if (endpoints.length === 0) return undefined;
  const eventId = `msg-${v7({ msecs: atMs })}`;
  await transaction
    .insertInto('webhook_deliveries')
    .values(
      endpoints.map(({ id }) => ({
        event_id: eventId,
        endpoint_id: id,
        type,
        vin: 'vin' in data ? data.vin : null,
        data: JSON.stringify(data),
        created_at: atMs,
        state: 'pending' as const,
        attempts: 0,
        run_at: atMs,
      })),
    )
    .execute();
  return eventId;
}

/** Consumes the outbox of charging: enqueues an event for each threshold that a workspace has reached. */
export async function enqueueThresholds({ kysely }: Database, nowMs: number): Promise<void> {
  // Reads without a lock: an idle instance must not block writers.
  const unhandled = kysely.selectFrom('usage_thresholds').select('reached_at').where('handled_at', 'is', null);
  if ((await unhandled.limit(1).executeTakeFirst()) === undefined) return;
  await kysely.transaction().execute(async (transaction) => {
    const reached = await transaction
      .updateTable('usage_thresholds')
      .set({ handled_at: nowMs })
      .where('handled_at', 'is', null)
      .returningAll()
      .execute();
    for (const row of reached) {
      const data = {
        percent: row.percent,
        limit: row.usage_limit,
        used: row.used,
        windowStart: new Date(row.window_start).toISOString(),
        resetAt: new Date(row.window_end).toISOString(),
      };
      const event = { type: 'usage.threshold', data } as const;
      await enqueueEvent(transaction, { workspaceId: row.workspace_id }, event, row.reached_at);
    }
  });
}
