import type { Selectable, Transaction } from 'kysely';
import { v7 } from 'uuid';

import { appendAudit } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Schema } from '../../platform/db/index.ts';
import { EVENT_TYPES, type EventType } from './events.ts';
import { newSecret, type SecretBox } from './secret.ts';

/** What the changes of endpoints need. */
export interface EndpointDeps {
  database: Database;
  clock: Clock;
  box: SecretBox;
}

/** Endpoints of one workspace. */
export const MOST_ENDPOINTS = 10;

/** How long the previous secret signs too. */
const GRACE_MS = 24 * 60 * 60 * 1000;

/** Where a workspace receives events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: readonly EventType[];
  createdAtMs: number;
  /** Until when the previous secret signs too; null: there is none. */
  oldSecretUntilMs: number | null;
  /** Undefined: it is enabled. */
  disabled: { atMs: number; why: 'person' | 'gone' | 'failing' } | undefined;
  /** Failed batches since anything was delivered, and when the first of them was. */
  failures: number;
  failingSinceMs: number | null;
}

type Row = Selectable<Schema['webhook_endpoints']>;

/** Who changes an endpoint, for the audit log: `person:EMAIL` or `cli:USER`. */
type Actor = string;

/** All endpoints of a workspace, oldest first. */
export async function listEndpoints({ kysely }: Database, workspaceId: string): Promise<Endpoint[]> {
  const rows = await kysely
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  const subscriptions = await kysely
    .selectFrom('webhook_subscriptions')
    .innerJoin('webhook_endpoints', 'id', 'endpoint_id')
    .select(['endpoint_id', 'event'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map((row) => {
    const own = new Set(subscriptions.filter(({ endpoint_id: id }) => id === row.id).map(({ event }) => event));
    return endpointOf(
      row,
      EVENT_TYPES.filter((type) => own.has(type)),
    );
  });
}

/** An endpoint of a workspace; undefined: it is another's, or is not there. */
export async function findEndpoint(
  database: Database,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  return (await listEndpoints(database, workspaceId)).find(({ id }) => id === endpointId);
}

/** An endpoint of any workspace: for operators. */
export async function findEndpointById(database: Database, endpointId: string): Promise<Endpoint | undefined> {
  const row = await database.kysely
    .selectFrom('webhook_endpoints')
    .select('workspace_id')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  return row && findEndpoint(database, row.workspace_id, endpointId);
}

/** Creates an endpoint. Its secret is returned only here. `full`: the workspace has `MOST_ENDPOINTS`. */
export async function createEndpoint(
  { database, clock, box }: EndpointDeps,
  wanted: { workspaceId: string; url: string; events: readonly EventType[] },
  actor: Actor,
): Promise<{ kind: 'created'; endpoint: Endpoint; secret: string } | { kind: 'full' }> {
  const now = clock();
  const id = v7({ msecs: now });
  const secret = newSecret();
  return database.kysely
    .transaction()
    .execute(async (transaction) => {
      // The audit log is locked first: two that are made at once are counted one after the other.
      await note(transaction, now, actor, 'created', { id, ...wanted });
      const { count } = await transaction
        .selectFrom('webhook_endpoints')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspace_id', '=', wanted.workspaceId)
        .executeTakeFirstOrThrow();
      if (count >= MOST_ENDPOINTS) throw new TooManyEndpointsError();
      const row = await transaction
        .insertInto('webhook_endpoints')
        .values({
          id,
          workspace_id: wanted.workspaceId,
          url: wanted.url,
          secret: box.seal(secret, id),
          created_at: now,
          failures: 0,
          run_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await subscribe(transaction, id, wanted.events);
      return { kind: 'created' as const, endpoint: endpointOf(row, wanted.events), secret };
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyEndpointsError) return { kind: 'full' as const };
      throw error;
    });
}

/** Rolls the transaction back. */
class TooManyEndpointsError extends Error {
  override name = 'TooManyEndpointsError';
}

/** Changes the URL and the subscriptions of an endpoint. Pending deliveries go to the new URL. */
export async function changeEndpoint(
  { database, clock }: Pick<EndpointDeps, 'database' | 'clock'>,
  endpoint: Endpoint,
  wanted: { url: string; events: readonly EventType[] },
  actor: Actor,
): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, clock(), actor, 'changed', { ...endpoint, ...wanted });
    await transaction.updateTable('webhook_endpoints').set({ url: wanted.url }).where('id', '=', endpoint.id).execute();
    await transaction.deleteFrom('webhook_subscriptions').where('endpoint_id', '=', endpoint.id).execute();
    await subscribe(transaction, endpoint.id, wanted.events);
  });
}

/** Gives an endpoint a new secret, returned only here. For a day the previous one signs too. */
export async function rotateSecret(
  { database, clock, box }: EndpointDeps,
  endpoint: Endpoint,
  actor: Actor,
): Promise<string> {
  const now = clock();
  const secret = newSecret();
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, now, actor, 'rotated', endpoint);
    await transaction
      .updateTable('webhook_endpoints')
      .set((row) => ({
        old_secret: row.ref('secret'),
        old_secret_until: now + GRACE_MS,
        secret: box.seal(secret, endpoint.id),
      }))
      .where('id', '=', endpoint.id)
      .execute();
  });
  return secret;
}

/** Sends events to an endpoint again. */
export async function enableEndpoint(
  { database, clock }: Pick<EndpointDeps, 'database' | 'clock'>,
  endpoint: Endpoint,
  actor: Actor,
): Promise<void> {
  const now = clock();
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, now, actor, 'enabled', endpoint);
    await transaction
      .updateTable('webhook_endpoints')
      .set({ disabled_at: null, disabled_why: null, failures: 0, failing_since: null, run_at: now })
      .where('id', '=', endpoint.id)
      .execute();
  });
}

/** Stops deliveries to an endpoint until it is enabled again. Pending deliveries are not sent. */
export async function disableEndpoint(
  { database, clock }: Pick<EndpointDeps, 'database' | 'clock'>,
  endpoint: Endpoint,
  actor: Actor,
): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, clock(), actor, 'disabled', endpoint);
    await disableIn(transaction, endpoint.id, 'person', clock());
  });
}

/** Disables an endpoint and gives up its pending deliveries. */
export async function disableIn(
  transaction: Transaction<Schema>,
  endpointId: string,
  why: 'person' | 'gone' | 'failing',
  atMs: number,
): Promise<void> {
  await transaction
    .updateTable('webhook_endpoints')
    .set({ disabled_at: atMs, disabled_why: why })
    .where('id', '=', endpointId)
    .execute();
  await transaction
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', run_at: null, last_error: 'endpoint disabled' })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'pending')
    .execute();
}

/** Removes an endpoint with its deliveries. */
export async function removeEndpoint(
  { database, clock }: Pick<EndpointDeps, 'database' | 'clock'>,
  endpoint: Endpoint,
  actor: Actor,
): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, clock(), actor, 'removed', endpoint);
    await transaction.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id).execute();
  });
}

/** The audit log keeps for ever: of the address, whose path may be a secret, it holds the host. */
async function note(
  transaction: Transaction<Schema>,
  atMs: number,
  actor: Actor,
  what: 'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'removed',
  { id, url, events, workspaceId }: Pick<Endpoint, 'id' | 'url' | 'workspaceId'> & { events: readonly EventType[] },
): Promise<void> {
  await appendAudit(transaction, atMs, {
    actor,
    action: `webhook.${what}`,
    subject: `webhook:${id}`,
    details: { host: new URL(url).host, events, workspace: workspaceId },
  });
}

async function subscribe(
  transaction: Transaction<Schema>,
  endpointId: string,
  events: readonly EventType[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ endpoint_id: endpointId, event }));
  await transaction.insertInto('webhook_subscriptions').values(rows).execute();
}

function endpointOf(row: Row, events: readonly EventType[]): Endpoint {
  const { disabled_at: disabledAtMs, disabled_why: why } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events,
    createdAtMs: row.created_at,
    oldSecretUntilMs: row.old_secret_until,
    disabled: disabledAtMs === null || why === null ? undefined : { atMs: disabledAtMs, why },
    failures: row.failures,
    failingSinceMs: row.failing_since,
  };
}
