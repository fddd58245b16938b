import type { ActDeps } from '../kernel/audit/index.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { inBatches, BATCH_ROWS } from '../kernel/db/batches.ts';
import type { DeliveryState } from './tables.ts';
import { enqueueEvent } from './enqueue.ts';
import type { Endpoint } from './endpoints.ts';
import { bodyOf } from './events.ts';

/** Deliveries are read while an integration is built or broken: a month is enough. */
const KEPT_DAYS = 30;

/** The least for one that waits: its attempts take two days. Those of a suspended workspace wait longer than that. */
const WAITING_DAYS = 3;

/** Deliveries of an endpoint that are kept beside those that wait: a busy one has thousands a day. */
const KEPT_DELIVERIES = 1_000;

/** The latest deliveries of an endpoint that are counted: a page reads no more of each. */
export const COUNTED_DELIVERIES = 100;

/** A pending or completed delivery of an event to an endpoint. */
export interface Delivery {
  eventId: string;
  type: string;
  /** The payload, as JSON. */
  body: string;
  createdAtMs: number;
  state: DeliveryState;
  attempts: number;
  /** The time of the next attempt; null: there is none. */
  runAtMs: number | null;
  attemptedAtMs: number | null;
  /** HTTP status of the last attempt; null: there was no answer. */
  status: number | null;
  /** The reason for the missing answer, in a few words. */
  lastError: string | null;
}

/**
 * Returns deliveries of an endpoint, newest first.
 * @param after only those behind the one of this event, which is left out; none if there is none
 */
export async function latestDeliveries(
  { kysely }: Database,
  endpointId: string,
  most: number,
  after?: string,
): Promise<Delivery[]> {
  let deliveries = kysely
    .selectFrom('webhook_deliveries')
    .select(['event_id as eventId', 'type', 'data', 'created_at as createdAtMs', 'state', 'attempts', 'status'])
    .select(['run_at as runAtMs', 'attempted_at as attemptedAtMs', 'last_error as lastError'])
    .where('endpoint_id', '=', endpointId);
  if (after !== undefined) {
    const last = await deliveries.where('event_id', '=', after).executeTakeFirst();
    if (last === undefined) return [];
    deliveries = deliveries
      .where('created_at', '<=', last.createdAtMs)
      .where((where) => where.or([where('created_at', '<', last.createdAtMs), where('event_id', '<', after)]));
  }
  const rows = await deliveries.orderBy('created_at', 'desc').orderBy('event_id', 'desc').limit(most).execute();
  return rows.map(({ data, ...row }) => Object.assign(row, { body: bodyOf(row.type, data, row.createdAtMs) }));
}

/** Counts the latest deliveries of endpoints, by state. */
export async function countDeliveries(
  { kysely }: Database,
  endpointIds: readonly string[],
): Promise<{ endpointId: string; state: DeliveryState; count: number }[]> {
  const counts = [];
  for (const endpointId of endpointIds) {
    const latest = kysely.selectFrom('webhook_deliveries').select('state').where('endpoint_id', '=', endpointId);
    const rows = await kysely
      .selectFrom(latest.orderBy('created_at', 'desc').limit(COUNTED_DELIVERIES).as('latest'))
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
    for (const { state, count } of rows) counts.push({ endpointId, state, count });
  }
  return counts;
}

/** Enqueues a test event for one endpoint. @returns its id; undefined: the endpoint has been disabled. */
export async function sendTest(
  { database, clock }: ActDeps,
  { id, workspaceId }: Endpoint,
): Promise<string | undefined> {
  const test = { type: 'webhook.test', data: {} } as const;
  return database.kysely
    .transaction()
    .execute((transaction) => enqueueEvent(transaction, { workspaceId, endpointId: id }, test, clock()));
}

/** Enqueues a failed delivery again, with all its attempts. @returns whether there is one. */
export async function sendAgain({ database, clock }: ActDeps, endpoint: Endpoint, eventId: string): Promise<boolean> {
  if (endpoint.disabled !== undefined) return false;
  const changed = await database.kysely
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', attempts: 0, run_at: clock() })
    .where('endpoint_id', '=', endpoint.id)
    .where('event_id', '=', eventId)
    .where('state', '=', 'failed')
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Removes deliveries that are past their retention, and all but the latest of each endpoint. @returns how many. */
export async function removeOldDeliveries(database: Database, nowMs: number, retentionDays: number): Promise<number> {
  const days = Math.min(KEPT_DAYS, retentionDays);
  const old = await removeBefore(database, nowMs - days * DAY_MS, { alsoWaiting: false });
  const waiting = Math.max(days, WAITING_DAYS);
  const late = await removeBefore(database, nowMs - waiting * DAY_MS, { alsoWaiting: true });
  let beyond = 0;
  for (const { id } of await database.kysely.selectFrom('webhook_endpoints').select('id').execute()) {
    beyond += await inBatches(() => removeBeyondLatest(database, id));
  }
  return old + late + beyond;
}

async function removeBefore(
  { kysely }: Database,
  cutMs: number,
  { alsoWaiting }: { alsoWaiting: boolean },
): Promise<number> {
  return inBatches(async () => {
    const old = kysely.selectFrom('webhook_deliveries').select('created_at').where('created_at', '<', cutMs);
    const wanted = alsoWaiting ? old : old.where('state', '<>', 'pending');
    const batch = await wanted.orderBy('created_at').limit(BATCH_ROWS).execute();
    const last = batch.at(-1);
    if (last === undefined) return 0;
    const removed = await kysely
      .deleteFrom('webhook_deliveries')
      .where('created_at', '<=', last.created_at)
      .$if(!alsoWaiting, (query) => query.where('state', '<>', 'pending'))
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  });
}

/** Removes a batch of the completed deliveries of an endpoint that come after the latest ones. */
async function removeBeyondLatest({ kysely }: Database, endpointId: string): Promise<number> {
  const completed = kysely
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('endpoint_id', '=', endpointId)
    .where('state', '<>', 'pending')
    .orderBy('created_at', 'desc')
    .orderBy('event_id', 'desc');
  const beyond = await completed.offset(KEPT_DELIVERIES).limit(BATCH_ROWS).execute();
  if (beyond.length === 0) return 0;
  const removed = await kysely
    .deleteFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where(
      'event_id',
      'in',
      beyond.map(({ event_id: event }) => event),
    )
    // One may have been sent again meanwhile.
    .where('state', '<>', 'pending')
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
