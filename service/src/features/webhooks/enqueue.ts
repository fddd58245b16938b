import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Database, Schema } from '../../platform/db/index.ts';
import type { NewEvent } from './events.ts';

/** Whom an event is for. */
export interface Audience {
  workspaceId: string;
  /** Only this endpoint, whatever it has chosen. */
  endpointId?: string;
}

/**
 * Enqueues an event for every endpoint that wants it, in the transaction of what it tells of: there is no event of what
 * did not happen, and none is lost.
 */
export async function enqueueEvent(
  transaction: Transaction<Schema>,
  engine: Database['engine'],
  { workspaceId, endpointId }: Audience,
  { type, data }: NewEvent,
  atMs: number,
): Promise<void> {
  const endpoints = await transaction
    .selectFrom('webhook_endpoints')
    .select(['id', 'events'])
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .$if(endpointId !== undefined, (query) => query.where('id', '=', endpointId ?? ''))
    .orderBy('id')
    // One that is deleted meanwhile must not take this transaction with it.
    .$if(engine === 'postgres', (query) => query.forKeyShare())
    .execute();
  const wanting = endpoints.filter(({ events }) => endpointId !== undefined || events.split(',').includes(type));
  if (wanting.length === 0) return;
  const eventId = `msg-${v7({ msecs: atMs })}`;
  await transaction
    .insertInto('webhook_deliveries')
    .values(
      wanting.map(({ id }) => ({
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
}
