import type { Transaction } from 'kysely';

import { erasePeople } from '../people/index.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { type SlicePrivacy, UNDER_WAY_MS } from '../kernel/privacy.ts';
import { listAllKeys } from './keys.ts';
import { closeWorkspace } from './membership.ts';
import { erasedSlug, findWorkspace } from './workspaces.ts';

export const privacy: SlicePrivacy = {
  records: async function* records(database, subject) {
    if (subject.kind === 'vin') return;
    const { kysely } = database;
    const { id, slug } = subject;
    yield { kind: 'workspace', ...(await findWorkspace(database, slug)) };
    for (const key of await listAllKeys(database, id)) yield { kind: 'api_key', ...key };
    const people = await kysely
      .selectFrom('workspace_members')
      .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
      .select(['auth_users.id', 'name', 'email', 'role', 'workspace_members.created_at'])
      .where('workspace_id', '=', id)
      .execute();
    for (const row of people) yield { kind: 'member', ...row };
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
    const people = await ownPeople(deps.database, id);
    return {
      withdraw: async () => {
        await closeWorkspace(deps, subject, deps.actor);
        return { settledInMs: UNDER_WAY_MS };
      },
      erase: async ({ transaction }) => {
        const erased = await erasePeople(transaction, await withoutRoles(transaction, people));
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

/** Returns the people who belong to this workspace and no other, and do not administrate the service. */
async function ownPeople({ kysely }: Database, workspaceId: string): Promise<{ id: string; email: string }[]> {
  return kysely
    .selectFrom('auth_users')
    .innerJoin('workspace_members as own', 'own.user_id', 'auth_users.id')
    .leftJoin('workspace_members as other', (join) =>
      join.onRef('other.user_id', '=', 'auth_users.id').on('other.workspace_id', '<>', workspaceId),
    )
    .leftJoin('administrators', 'administrators.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email'])
    .where('own.workspace_id', '=', workspaceId)
    .where('other.user_id', 'is', null)
    .where('administrators.user_id', 'is', null)
    .execute();
}

/** Returns those who belong to no workspace and do not administrate: since the closing, one may have joined another. */
async function withoutRoles(
  transaction: Transaction<Schema>,
  people: readonly { id: string; email: string }[],
): Promise<{ id: string; email: string }[]> {
  const own = people.map(({ id }) => id);
  if (own.length === 0) return [];
  const members = transaction.selectFrom('workspace_members').select('user_id').where('user_id', 'in', own);
  const administrators = transaction.selectFrom('administrators').select('user_id').where('user_id', 'in', own);
  const kept = new Set((await members.union(administrators).execute()).map(({ user_id: id }) => id));
  return people.filter(({ id }) => !kept.has(id));
}
