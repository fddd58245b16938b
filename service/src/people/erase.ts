import type { Transaction } from 'kysely';

import type { Database, Schema } from '../kernel/db/index.ts';
import { deleteMessages } from '../kernel/mail/index.ts';
import type { Erased } from '../kernel/privacy.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { removePerson } from './people.ts';
import { monthOf } from '../kernel/db/month.ts';

/** Deletes accounts with their sessions, and their unsent messages. */
export async function erasePeople(
  transaction: Transaction<Schema>,
  people: readonly { id: string; email: string }[],
): Promise<Erased> {
  const messages = await deleteMessages(
    transaction,
    people.map(({ email }) => email),
  );
  for (const { id } of people) await removePerson(transaction, id);
  return { messages, people: people.length };
}

/** Removes what accounts no longer need: expired links, attempt counts and sessions, and old creators' hashes. */
export async function removeOldAccountData({ kysely }: Database, nowMs: number): Promise<void> {
  await kysely.deleteFrom('account_links').where('expires_at', '<', nowMs).execute();
  await kysely
    .deleteFrom('auth_tries')
    .where('window_start', '<', nowMs - DAY_MS)
    .execute();
  const moment = new Date(nowMs);
  await kysely.deleteFrom('auth_sessions').where('expires_at', '<', moment).execute();
  await kysely.deleteFrom('auth_verifications').where('expires_at', '<', moment).execute();
  // The founder of a closed workspace matters until its month is over.
  const { startMs } = monthOf(nowMs);
  await kysely
    .updateTable('workspaces')
    .set({ founder: null })
    .where('founder', 'is not', null)
    .where('created_at', '<', startMs)
    .where('suspended_at', '<', startMs)
    .where('id', 'not in', kysely.selectFrom('workspace_members').select('workspace_id'))
    .execute();
}
