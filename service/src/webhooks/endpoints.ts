import type { SecretBox } from '../kernel/secret-box.ts';
import { type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { v7 } from 'uuid';

import { DAY_MS } from '../kernel/clock.ts';
import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import { removeInBatches } from '../kernel/db/batches.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { EVENT_TYPES, type EventType } from './events.ts';
import { disableIn, giveUpWaiting } from './giving-up.ts';
import { newSecret } from './secret.ts';
import { receiverOf } from './url.ts';

/** Endpoints of one workspace. */
export const MOST_ENDPOINTS = 10;

/** The time for which previous secrets also sign after a rotation, in milliseconds, and how many. */
const GRACE_MS = DAY_MS;
const MOST_OLD_SECRETS = 9;

/** Reasons for disabling an endpoint, as shown to its owners. */
export const WHY_DISABLED = {
  person: 'Someone in this workspace disabled it.',
  gone: 'It answered 410 Gone, which means that it does not want any more events.',
  failing: 'No event could be delivered for two days.',
} as const;

/** An address at which a workspace receives events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: readonly EventType[];
  createdAtMs: number;
  /** The time until which previous secrets also sign; null: there are none. */
  oldSecretUntilMs: number | null;
  /** Undefined: it is enabled. */
  disabled: { atMs: number; why: keyof typeof WHY_DISABLED } | undefined;
  /** Failed batches since anything was delivered, and when the first of them was. */
  failures: number;
  failingSinceMs: number | null;
}

type Row = Selectable<Schema['webhook_endpoints']>;

/** Returns all endpoints of a workspace, oldest first. */
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

/** Returns an endpoint of a workspace; undefined: it belongs to another, or does not exist. */
export async function findEndpoint(
  database: Database,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  return (await listEndpoints(database, workspaceId)).find(({ id }) => id === endpointId);
}

/** Returns an endpoint of any workspace: for operators. */
export async function findEndpointById(database: Database, endpointId: string): Promise<Endpoint | undefined> {
  const row = await database.kysely
    .selectFrom('webhook_endpoints')
    .select('workspace_id')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  return row && findEndpoint(database, row.workspace_id, endpointId);
}

/**
 * Creates an endpoint. Its secret is returned only here. `full`: the workspace has `MOST_ENDPOINTS`; `taken`: one of
 * them has the same receiver, which would get every event twice.
 */
export async function createEndpoint(
  { box, ...deps }: ActDeps & { box: SecretBox },
  wanted: { workspaceId: string; url: string; events: readonly EventType[] },
  actor: Actor,
): Promise<{ kind: 'created'; endpoint: Endpoint; secret: string } | { kind: 'full' } | { kind: 'taken' }> {
  // Audited actions are serialized: of two concurrent ones, the second counts the first.
  return audited(deps, actor, async (act) => {
    const { transaction, atMs } = act;
    const known = await receiversIn(transaction, wanted.workspaceId);
    if (known.length >= MOST_ENDPOINTS) return { kind: 'full' };
    if (known.some(({ receiver }) => receiver === receiverOf(wanted.url))) return { kind: 'taken' };
    const id = v7({ msecs: atMs });
    const secret = newSecret();
    await note(act, 'created', { id, ...wanted });
    const row = await transaction
      .insertInto('webhook_endpoints')
      .values({
        id,
        workspace_id: wanted.workspaceId,
        url: wanted.url,
        secret: box.seal(secret, id),
        created_at: atMs,
        failures: 0,
        run_at: atMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await subscribe(transaction, id, wanted.events);
    return { kind: 'created', endpoint: endpointOf(row, wanted.events), secret };
  });
}

/**
 * Changes the URL and the subscriptions of an endpoint. Pending deliveries go to the new URL. `taken`: another one
 * leads there.
 */
export async function changeEndpoint(
  deps: ActDeps,
  endpoint: Endpoint,
  { url, events }: { url: string; events: readonly EventType[] },
  actor: Actor,
): Promise<'changed' | 'taken'> {
  return audited(deps, actor, async (act) => {
    const known = await receiversIn(act.transaction, endpoint.workspaceId);
    if (known.some(({ id, receiver }) => id !== endpoint.id && receiver === receiverOf(url))) return 'taken';
    await note(act, 'changed', { ...endpoint, url, events });
    await update(act, endpoint, { url, ...(receiverOf(url) === receiverOf(endpoint.url) ? {} : asNew(act)) });
    await act.transaction.deleteFrom('webhook_subscriptions').where('endpoint_id', '=', endpoint.id).execute();
    await subscribe(act.transaction, endpoint.id, events);
    return 'changed';
  });
}

/**
 * Gives an endpoint a new secret, returned only here. For a day, the previous one also signs, with those that still did:
 * a receiver may have any of them, since one is rotated again that nobody saved.
 */
export async function rotateSecret(
  { box, ...deps }: ActDeps & { box: SecretBox },
  endpoint: Endpoint,
  actor: Actor,
): Promise<string> {
  const secret = newSecret();
  await audited(deps, actor, async (act) => {
    await note(act, 'rotated', endpoint);
    const stored = act.transaction.selectFrom('webhook_endpoints').selectAll().where('id', '=', endpoint.id);
    const row = await stored.executeTakeFirst();
    if (row === undefined) return;
    await update(act, endpoint, {
      old_secret: secretsOf(row, act.atMs).slice(0, MOST_OLD_SECRETS).join(' '),
      old_secret_until: act.atMs + GRACE_MS,
      secret: box.seal(secret, endpoint.id),
    });
  });
  return secret;
}

/** Returns the secrets that sign at a moment, sealed, the newest first. */
export function secretsOf({ secret, old_secret: old, old_secret_until: untilMs }: Row, nowMs: number): string[] {
  return old !== null && untilMs !== null && untilMs > nowMs ? [secret, ...old.split(' ')] : [secret];
}

/** Sends events to an endpoint again. */
export async function enableEndpoint(deps: ActDeps, endpoint: Endpoint, actor: Actor): Promise<void> {
  await giveUpWaiting(deps.database, endpoint.id);
  await audited(deps, actor, async (act) => {
    await note(act, 'enabled', endpoint);
    await update(act, endpoint, { disabled_at: null, disabled_why: null, ...asNew(act) });
  });
}

/** Returns the health of a receiver that has not failed: deliveries to it begin at once. */
function asNew({ atMs }: Act): Updateable<Schema['webhook_endpoints']> {
  return { failures: 0, failing_since: null, run_at: atMs };
}

/** Stops deliveries to an endpoint until it is enabled again. Pending deliveries are not sent. */
export async function disableEndpoint(deps: ActDeps, endpoint: Endpoint, actor: Actor): Promise<void> {
  await audited(deps, actor, async (act) => disableWithin(act, endpoint));
  await giveUpWaiting(deps.database, endpoint.id);
}

async function disableWithin(act: Act, endpoint: Endpoint): Promise<void> {
  if (await disableIn(act.transaction, endpoint.id, 'person', act.atMs)) await note(act, 'disabled', endpoint);
}

/** Removes an endpoint with its deliveries. There may be any number: they go once it is disabled, some at a time. */
export async function removeEndpoint(deps: ActDeps, endpoint: Endpoint, actor: Actor): Promise<void> {
  const { database } = deps;
  await audited(deps, actor, async (act) => disableWithin(act, endpoint));
  await removeInBatches(database, {
    table: 'webhook_deliveries',
    key: ['event_id', 'endpoint_id'],
    where: sql<boolean>`endpoint_id = ${endpoint.id}`,
    // As the worker does, which may be storing what came of some of them.
    lock: (transaction) =>
      transaction.selectFrom('webhook_endpoints').select('id').where('id', '=', endpoint.id).forNoKeyUpdate().execute(),
  });
  await audited(deps, actor, async (act) => {
    const own = act.transaction.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id);
    if ((await own.executeTakeFirst()).numDeletedRows > 0n) await note(act, 'removed', endpoint);
  });
}

/** Appends an audit entry with the host alone: the log is kept forever, and the path of a URL may be a secret. */
async function note(
  { appendEntry }: Act,
  what: 'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'removed',
  { id, url, events, workspaceId }: Pick<Endpoint, 'id' | 'url' | 'workspaceId' | 'events'>,
): Promise<void> {
  const details = { host: new URL(url).host, events, workspace: workspaceId };
  await appendEntry({ action: `webhook.${what}`, subject: `webhook:${id}`, details });
}

/** Returns the URLs of a workspace's endpoints. */
async function receiversIn(
  transaction: Transaction<Schema>,
  workspaceId: string,
): Promise<{ id: string; receiver: string }[]> {
  const rows = await transaction
    .selectFrom('webhook_endpoints')
    .select(['id', 'url'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map(({ id, url }) => ({ id, receiver: receiverOf(url) }));
}

async function update(
  { transaction }: Act,
  { id }: Pick<Endpoint, 'id'>,
  columns: Updateable<Schema['webhook_endpoints']>,
): Promise<void> {
  await transaction.updateTable('webhook_endpoints').set(columns).where('id', '=', id).execute();
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
