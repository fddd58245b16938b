import type { Transaction } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import { deleteMessages } from '../kernel/mail/erase.ts';
import type { Erased } from '../kernel/privacy.ts';

/** Deletes accounts with their sessions, and the messages that wait to be sent to them. */
export async function erasePeople(
  transaction: Transaction<Schema>,
  people: readonly { id: string; email: string }[],
): Promise<Erased> {
  const messages = await deleteMessages(
    transaction,
    people.map(({ email }) => email),
  );
  for (const { id } of people) await transaction.deleteFrom('auth_users').where('id', '=', id).execute();
  return { messages, people: people.length };
}
