import { erasePeople } from '../people/index.ts';
import { listAudit } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { type SlicePrivacy, UNDER_WAY_MS } from '../kernel/privacy.ts';
import { listAllKeys } from './key-lists.ts';
import { closeWorkspace } from './membership.ts';
import { CLOSED, erasedSlug, findWorkspace } from './workspaces.ts';

export const privacy: SlicePrivacy = {
  records: async function* records(database, subject) {
    if (subject.kind === 'vin') return;
    const { kysely } = database;
    const { id, slug } = subject;
    yield { kind: 'workspace', ...(await findWorkspace(database, slug)) };
    for (const key of await listAllKeys(database, id)) yield { kind: 'api_key', ...key };
    for (const personId of await peopleOf(database, id)) {
      const person = await kysely
        .selectFrom('auth_users')
        .leftJoin('workspace_members as member', (join) =>
          join.onRef('member.user_id', '=', 'auth_users.id').on('member.workspace_id', '=', id),
        )
        .select(['auth_users.id', 'name', 'email', 'role', 'member.created_at'])
        .where('auth_users.id', '=', personId)
        .executeTakeFirst();
      if (person !== undefined) yield { kind: 'member', ...person };
    }
    const links = await kysely
      .selectFrom('account_links')
      .select(['purpose', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
      .where('workspace_id', '=', id)
      .execute();
    for (const row of links) yield { kind: 'invitation', ...row };
  },
  erasure: async (deps, subject) => {
    if (subject.kind === 'vin') return {};
    const { id } = subject;
    return {
      withdraw: async () => {
        await closeWorkspace(deps, subject, deps.actor);
        return { settledInMs: UNDER_WAY_MS };
      },
      erase: async ({ transaction }) => {
        const erased = await erasePeople(transaction, await ownPeople({ kysely: transaction }, id));
        const keys = await transaction
          .updateTable('api_keys')
          .set({ name: 'erased', last_used_at: null })
          .where('workspace_id', '=', id)
          .executeTakeFirst();
        await transaction
          .updateTable('workspaces')
          .set({ slug: erasedSlug(id), name: null })
          .where('id', '=', id)
          .execute();
        return { ...erased, keys: Number(keys.numUpdatedRows) };
      },
    };
  },
};

/** Returns the ids of a workspace's members, and of those who were when it was closed. */
async function peopleOf(database: Pick<Database, 'kysely'>, workspaceId: string): Promise<string[]> {
  const members = database.kysely.selectFrom('workspace_members').select('user_id');
  const present = await members.where('workspace_id', '=', workspaceId).execute();
  const closings = await listAudit(database, { subject: `workspace:${workspaceId}`, action: CLOSED });
  const former = closings.flatMap(({ details: { members: ids } }) => (Array.isArray(ids) ? ids.map(String) : []));
  return [...new Set([...present.map((member) => member.user_id), ...former])];
}

/** Returns the people of this workspace who belong to no other now, and do not administrate the service. */
async function ownPeople(
  database: Pick<Database, 'kysely'>,
  workspaceId: string,
): Promise<{ id: string; email: string }[]> {
  const ids = await peopleOf(database, workspaceId);
  if (ids.length === 0) return [];
  return database.kysely
    .selectFrom('auth_users')
    .leftJoin('workspace_members as other', (join) =>
      join.onRef('other.user_id', '=', 'auth_users.id').on('other.workspace_id', '<>', workspaceId),
    )
    .leftJoin('administrators', 'administrators.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email'])
    .where('auth_users.id', 'in', ids)
    .where('other.user_id', 'is', null)
    .where('administrators.user_id', 'is', null)
    .execute();
}
