import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Schema } from '../kernel/db/index.ts';
import type { NewEvent } from './events.ts';

/** Who receives an event. */
export interface Audience {
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
    // An endpoint that is deleted in the meantime must not fail this transaction.
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
