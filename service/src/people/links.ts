import { createHash, randomBytes } from 'node:crypto';

import type { Selectable } from 'kysely';

import { DAY_MS, HOUR_MS, type Clock } from '../kernel/clock.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import type { Role } from './tables.ts';

/** Time to use a link. */
const GOOD_FOR_MS = { 'sign-up': DAY_MS, invitation: 7 * DAY_MS, reset: HOUR_MS };

/** The action that a link allows. */
type LinkPurpose =
  | { kind: 'sign-up'; slug: string }
  | { kind: 'reset' }
  | { kind: 'invitation'; workspaceId: string; role: Role; invitedBy: { id: string; name: string } };

/** A link that has been mailed to an address. */
export interface MailedLink {
  id: string;
  email: string;
  purpose: LinkPurpose;
  createdAtMs: number;
  expiresAtMs: number;
}

/**
 * Makes a link for an address.
 * @returns its token, which is stored as a hash only.
 */
export async function makeLink(
  { database, clock }: { database: Pick<Database, 'kysely'>; clock: Clock },
  email: string,
  purpose: LinkPurpose,
): Promise<string> {
  // Hex: the log masks what looks like a VIN between other characters.
  const token = randomBytes(32).toString('hex');
  const now = clock();
  await database.kysely
    .insertInto('account_links')
    .values({
      id: idOf(token),
      purpose: purpose.kind,
      email,
      slug: purpose.kind === 'sign-up' ? purpose.slug : null,
      workspace_id: purpose.kind === 'invitation' ? purpose.workspaceId : null,
      role: purpose.kind === 'invitation' ? purpose.role : null,
      invited_by: purpose.kind === 'invitation' ? purpose.invitedBy.name : null,
      inviter_id: purpose.kind === 'invitation' ? purpose.invitedBy.id : null,
      created_at: now,
      expires_at: now + GOOD_FOR_MS[purpose.kind],
    })
    .execute();
  return token;
}

/** Returns the link of a token, while it is good. */
export async function findLink(
  { database, clock }: { database: Database; clock: Clock },
  token: string,
): Promise<MailedLink | undefined> {
  const row = await database.kysely
    .selectFrom('account_links')
    .selectAll()
    .where('id', '=', idOf(token))
    .where('expires_at', '>', clock())
    .executeTakeFirst();
  return row === undefined ? undefined : linkOf(row);
}

/**
 * Returns open invitations to a workspace, newest first.
 * @param options.after only those behind this one, which is left out; none if it is not open
 */
export async function openInvitations(
  deps: { database: Database; clock: Clock },
  workspaceId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<MailedLink[]> {
  const last = after === undefined ? undefined : await openInvitation(deps, workspaceId, after);
  if (after !== undefined && last === undefined) return [];
  let open = invitationRows(deps, workspaceId).orderBy('created_at', 'desc').orderBy('id').limit(limit);
  if (last !== undefined) {
    const { id, createdAtMs } = last;
    open = open.where((where) =>
      where.or([
        where('created_at', '<', createdAtMs),
        where.and([where('created_at', '=', createdAtMs), where('id', '>', id)]),
      ]),
    );
  }
  return (await open.execute()).map(linkOf).filter((link) => link !== undefined);
}

/** Returns an open invitation to a workspace; undefined: it has none of this id. */
export async function openInvitation(
  deps: { database: Database; clock: Clock },
  workspaceId: string,
  id: string,
): Promise<MailedLink | undefined> {
  const row = await invitationRows(deps, workspaceId).where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : linkOf(row);
}

function invitationRows({ database, clock }: { database: Database; clock: Clock }, workspaceId: string) {
  return database.kysely
    .selectFrom('account_links')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', clock());
}

/** Uses a link up. @returns whether it was still there: of two uses at once, one succeeds. */
export async function useLink(database: Pick<Database, 'kysely'>, id: string): Promise<boolean> {
  const gone = await database.kysely.deleteFrom('account_links').where('id', '=', id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Ends the open invitations that a person has sent. @param workspaceId only those to it. @returns how many. */
export async function withdrawInvitationsOf(
  { kysely }: Pick<Database, 'kysely'>,
  inviterId: string,
  workspaceId?: string,
): Promise<number> {
  const all = kysely.deleteFrom('account_links').where('inviter_id', '=', inviterId);
  const gone = await (workspaceId === undefined ? all : all.where('workspace_id', '=', workspaceId)).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** Ends the open invitations of an address to a workspace. @returns how many. */
export async function withdrawInvitationsTo(
  { kysely }: Pick<Database, 'kysely'>,
  email: string,
  workspaceId: string,
): Promise<number> {
  const own = kysely.deleteFrom('account_links').where('email', '=', email).where('workspace_id', '=', workspaceId);
  return Number((await own.executeTakeFirst()).numDeletedRows);
}

/** Ends the links to set a new password that an address has: it was set, or changed. */
export async function endResetLinks({ kysely }: Pick<Database, 'kysely'>, email: string): Promise<void> {
  await kysely.deleteFrom('account_links').where('email', '=', email).where('purpose', '=', 'reset').execute();
}

function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

type LinkRow = Selectable<Schema['account_links']>;

function linkOf(row: LinkRow): MailedLink | undefined {
  const purpose = purposeOf(row);
  if (purpose === undefined) return undefined;
  return { id: row.id, email: row.email, purpose, createdAtMs: row.created_at, expiresAtMs: row.expires_at };
}

function purposeOf({
  purpose,
  slug,
  workspace_id: workspaceId,
  role,
  invited_by: name,
  inviter_id: id,
}: LinkRow): LinkPurpose | undefined {
  if (purpose === 'sign-up') return { kind: 'sign-up', slug: slug ?? '' };
  if (purpose === 'reset') return { kind: 'reset' };
  if (workspaceId === null || role === null || name === null || id === null) return undefined;
  return { kind: 'invitation', workspaceId, role, invitedBy: { id, name } };
}
