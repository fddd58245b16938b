import { sql } from 'kysely';

import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import { removeInBatches } from '../kernel/db/batches.ts';
import { CLOSED, closedAmong, type Workspace, workspaceOf } from './workspaces.ts';
import { type Role, withdrawInvitationsOf, withdrawInvitationsTo } from '../people/index.ts';
import type { Database } from '../kernel/db/index.ts';

/** A person's membership of a workspace. */
export interface Membership {
  workspace: Workspace;
  role: Role;
}

/** A member of a workspace. */
export interface Member {
  userId: string;
  name: string;
  email: string;
  role: Role;
  sinceMs: number;
}

/** Names that would be mistaken for something else in a URL or a header. */
const RESERVED = new Set(
  `about abuse account accounts admin administration administrator anonymous api app assets auth billing blog contact
  dashboard decode default demo docs documentation download email enterprise example false free health help home
  internal invitation invitations legal login logout mail marque me metrics mx new none null openapi owner password
  plan plans portal postmaster pricing privacy public readyz register reset root sales security service settings
  sign-in sign-out sign-up signin signup starter static status subscriber support system terms test true undefined
  unlimited user users webmaster workspace workspaces www`.split(/\s+/),
);

/** Returns true if a user may choose this slug for a workspace. Administrators may use any. */
export function isAllowedSlug(slug: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/.test(slug) && !slug.includes('--') && !RESERVED.has(slug);
}

/**
 * Returns the workspaces that someone belongs to, by slug. Closed ones are left out: they have no members.
 * @param options.after only those whose slugs come after this one
 */
export async function membershipsOf(
  database: Pick<Database, 'kysely'>,
  userId: string,
  { limit, after }: { limit?: number; after?: string | undefined } = {},
): Promise<Membership[]> {
  const rows = await membershipRows(database, userId)
    .$if(after !== undefined, (query) => query.where('workspaces.slug', '>', after ?? ''))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('workspaces.slug')
    .execute();
  return rows.map((row) => ({ workspace: workspaceOf(row), role: row.role }));
}

function membershipRows({ kysely }: Pick<Database, 'kysely'>, userId: string) {
  return kysely
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .selectAll('workspaces')
    .select('workspace_members.role')
    .where('workspace_members.user_id', '=', userId);
}

/** Returns a person's membership in the workspace with a slug; also undefined if the workspace does not exist. */
export async function membershipIn(
  database: Pick<Database, 'kysely'>,
  userId: string,
  slug: string,
): Promise<Membership | undefined> {
  const row = await membershipRows(database, userId).where('workspaces.slug', '=', slug).executeTakeFirst();
  return row === undefined ? undefined : { workspace: workspaceOf(row), role: row.role };
}

/**
 * Returns members of a workspace, owners first.
 * @param options.after only those behind this person, who is left out; so is everyone if the person is no member
 */
export async function membersOf(
  { kysely }: Pick<Database, 'kysely'>,
  workspaceId: string,
  { limit, after }: { limit?: number; after?: string | undefined } = {},
): Promise<Member[]> {
  const members = kysely
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
    .select(['user_id as userId', 'name', 'email', 'role', 'workspace_members.created_at as sinceMs'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('role', 'desc')
    .orderBy('email')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0));
  if (after === undefined) return members.execute();
  const last = await members.where('user_id', '=', after).executeTakeFirst();
  if (last === undefined) return [];
  return members
    .where((where) =>
      where.or([
        where('role', '<', last.role),
        where.and([where('role', '=', last.role), where('email', '>', last.email)]),
      ]),
    )
    .execute();
}

/** Returns true if the account of an address belongs to a workspace. */
export async function isMember(
  { kysely }: Pick<Database, 'kysely'>,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const member = kysely
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'user_id')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email);
  return (await member.executeTakeFirst()) !== undefined;
}

/** Adds someone to a workspace, as part of a larger action; an existing member keeps their role. */
export async function addMember(
  { transaction, atMs }: Act,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await transaction
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, role, created_at: atMs })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
    .execute();
}

/**
 * Changes a member's role, or removes them (`role` undefined). A workspace always keeps an owner. Only owners invite: a
 * former owner's open invitations are withdrawn, or they could return by one sent to another address of theirs, and so
 * are those to their own.
 */
export async function changeMember(
  deps: ActDeps,
  wanted: { workspaceId: string; userId: string; role: Role | undefined },
  actor: Actor,
): Promise<'changed' | 'last-owner' | 'unknown'> {
  const { workspaceId, userId, role } = wanted;
  // Audited actions are serialized, so that two owners cannot remove each other.
  return audited(deps, actor, async ({ transaction, appendEntry }) => {
    const members = transaction.selectFrom('workspace_members').select('role').where('workspace_id', '=', workspaceId);
    const found = members.innerJoin('auth_users', 'auth_users.id', 'user_id').select('email');
    const member = await found.where('user_id', '=', userId).executeTakeFirst();
    if (member === undefined) return 'unknown';
    const otherOwner = members.where('role', '=', 'owner').where('user_id', '!=', userId).limit(1);
    if (role !== 'owner' && (await otherOwner.executeTakeFirst()) === undefined) return 'last-owner';
    const own = { workspace_id: workspaceId, user_id: userId };
    await (role === undefined
      ? transaction
          .deleteFrom('workspace_members')
          .where((where) => where.and(own))
          .execute()
      : transaction
          .updateTable('workspace_members')
          .set({ role })
          .where((where) => where.and(own))
          .execute());
    const kysely = transaction;
    const withdrawn =
      role === 'owner'
        ? 0
        : (await withdrawInvitationsOf({ kysely }, userId, workspaceId)) +
          (await withdrawInvitationsTo({ kysely }, member.email, workspaceId));
    const action = role === undefined ? 'member.removed' : 'member.changed';
    const details = { userId, role: role ?? null, invitationsWithdrawn: withdrawn };
    await appendEntry({ action, subject: `workspace:${workspaceId}`, details });
    return 'changed';
  });
}

/**
 * Closes a workspace permanently: its keys, webhooks and memberships end. Its name stays reserved, its usage records
 * stay.
 */
export async function closeWorkspace(
  deps: ActDeps,
  workspace: Pick<Workspace, 'id' | 'slug'>,
  actor: Actor,
): Promise<void> {
  await audited(deps, actor, (act) => closeWithin(act, workspace), 'access');
  await removeWebhooks(deps.database, workspace);
}

/** Does the same as part of a larger action, whose topic is `access`; `removeWebhooks` follows it. */
export async function closeWithin(
  { transaction, atMs: now, appendEntry }: Act,
  workspace: Pick<Workspace, 'id' | 'slug'>,
): Promise<void> {
  // An erasure, which may come years later, finds the people by it.
  const members = (await membersOf({ kysely: transaction }, workspace.id)).map(({ userId }) => userId);
  const details = { slug: workspace.slug, members };
  await appendEntry({ action: CLOSED, subject: `workspace:${workspace.id}`, details });
  await transaction
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspace.id)
    .where('revoked_at', 'is', null)
    .execute();
  await transaction.updateTable('workspaces').set({ suspended_at: now }).where('id', '=', workspace.id).execute();
  await transaction.deleteFrom('workspace_members').where('workspace_id', '=', workspace.id).execute();
  await transaction.deleteFrom('account_links').where('workspace_id', '=', workspace.id).execute();
  await transaction
    .updateTable('webhook_endpoints')
    .set({ disabled_at: now, disabled_why: 'person' })
    .where('workspace_id', '=', workspace.id)
    .execute();
}

/** Removes the webhooks of a closed workspace, with their deliveries, of which there may be any number. */
export async function removeWebhooks(database: Database, { id }: Pick<Workspace, 'id'>): Promise<void> {
  await removeInBatches(database, {
    table: 'webhook_deliveries',
    key: ['event_id', 'endpoint_id'],
    where: sql<boolean>`endpoint_id IN (SELECT id FROM webhook_endpoints WHERE workspace_id = ${id})`,
    // As the worker does, which may be storing what came of some of them.
    lock: (transaction) =>
      transaction
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('workspace_id', '=', id)
        .orderBy('id')
        .forNoKeyUpdate()
        .execute(),
  });
  await database.kysely.deleteFrom('webhook_endpoints').where('workspace_id', '=', id).execute();
}

/** Removes what is left where the process ended after the act of closing. @returns of how many workspaces. */
export async function removeLeftWebhooks(database: Database): Promise<number> {
  const suspended = database.kysely
    .selectFrom('workspaces')
    .select(['id', 'suspended_at as suspendedAtMs'])
    .where('suspended_at', 'is not', null)
    .where('id', 'in', (where) => where.selectFrom('webhook_endpoints').select('workspace_id'));
  const closed = await closedAmong(database, await suspended.execute());
  for (const id of closed) await removeWebhooks(database, { id });
  return closed.size;
}

/** Returns the mail addresses of a workspace's owners. */
export async function ownerAddresses(
  { transaction }: Pick<Act, 'transaction'>,
  workspaceId: string,
): Promise<string[]> {
  const owners = transaction
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner');
  return (await owners.orderBy('email').execute()).map(({ email }) => email);
}
