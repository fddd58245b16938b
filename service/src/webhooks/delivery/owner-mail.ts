import type { Transaction } from 'kysely';

import type { Schema } from '../../kernel/db/index.ts';
import { enqueueMail } from '../../kernel/mail/index.ts';
import type { Batch } from './claim.ts';

const WHY = {
  gone: 'It answered 410 Gone, which means that it does not want any more events.',
  failing: 'No event could be delivered for two days.',
} as const;

/** Enqueues a message to a workspace's owners that an endpoint was disabled. */
export async function mailOwners(
  transaction: Transaction<Schema>,
  { workspaceId, url }: Pick<Batch, 'workspaceId' | 'url'>,
  why: 'gone' | 'failing',
  atMs: number,
): Promise<void> {
  const owners = await transaction
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select(['email', 'slug'])
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .execute();
  for (const { email, slug } of owners) {
    const text = [
      // The path may be a secret: the host tells them apart.
      `The webhook of ${slug} at ${new URL(url).host} is disabled. ${WHY[why]}`,
      '',
      'Pending events were not delivered. After you enable the webhook, you can send them again in the portal:',
      `Portal, ${slug}, Webhooks.`,
    ].join('\n');
    await enqueueMail(transaction, { to: email, subject: `A webhook of ${slug} is disabled`, text }, atMs);
  }
}
