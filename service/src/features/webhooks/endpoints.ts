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

/** How long the secret before signs beside the new one. */
const GRACE_MS = 24 * 60 * 60 * 1000;

/** Where a workspace wants to hear of events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: EventType[];
  createdAtMs: number;
  /** Until when the secret before the last rotation signs, too; null: there is none. */
  oldSecretUntilMs: number | null;
  /** Undefined: it is enabled. */
  disabled: { atMs: number; why: 'person' | 'gone' | 'failing' } | undefined;
  /** Failed batches since anything was delivered, and when the first of them was. */
  failures: number;
  failingSinceMs: number | null;
}

type Row = Selectable<Schema['webhook_endpoints']>;

/** Who changes an endpoint, for the audit log: `person:EMAIL`. */
type Actor = string;

/** All endpoints of a workspace, oldest first. */
export async function listEndpoints({ kysely }: Database, workspaceId: string): Promise<Endpoint[]> {
  const rows = await kysely
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  return rows.map(endpointOf);
}

/** An endpoint of a workspace; undefined: it is another's, or is not there. */
export async function findEndpoint(
  { kysely }: Database,
  workspaceId: string,
  id: string,
): Promise<Endpoint | undefined> {
  const row = await kysely
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : endpointOf(row);
}

/** Makes an endpoint. Its secret is told this once. `full`: the workspace has as many as it may. */
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
          events: wanted.events.join(','),
          secret: box.seal(secret, id),
          created_at: now,
          failures: 0,
          run_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { kind: 'created' as const, endpoint: endpointOf(row), secret };
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyEndpointsError) return { kind: 'full' as const };
      throw error;
    });
}

/** Undoes a transaction that must not be. */
class TooManyEndpointsError extends Error {
  override name = 'TooManyEndpointsError';
}

/** Changes where an endpoint is and what it hears of. What waits for it goes to the new address. */
export async function changeEndpoint(
  { database, clock }: Pick<EndpointDeps, 'database' | 'clock'>,
  endpoint: Endpoint,
  wanted: { url: string; events: readonly EventType[] },
  actor: Actor,
): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await note(transaction, clock(), actor, 'changed', { ...endpoint, ...wanted });
    await transaction
      .updateTable('webhook_endpoints')
      .set({ url: wanted.url, events: wanted.events.join(',') })
      .where('id', '=', endpoint.id)
      .execute();
  });
}

/** Gives an endpoint a new secret, told this once. For a day the one before signs, too. */
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

/** Lets an endpoint hear of events again. */
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

/** Ends the news for an endpoint, until it is enabled again. What waits is not sent. */
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

/** Disables an endpoint and gives up what waits for it. */
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

/** Removes an endpoint, with all that was to be delivered there. */
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

function endpointOf(row: Row): Endpoint {
  const { disabled_at: disabledAtMs, disabled_why: why } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: EVENT_TYPES.filter((type) => row.events.split(',').includes(type)),
    createdAtMs: row.created_at,
    oldSecretUntilMs: row.old_secret_until,
    disabled: disabledAtMs === null || why === null ? undefined : { atMs: disabledAtMs, why },
    failures: row.failures,
    failingSinceMs: row.failing_since,
  };
}
