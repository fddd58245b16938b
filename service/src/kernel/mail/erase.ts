import type { Transaction } from 'kysely';

import type { Schema } from '../db/index.ts';

/** Deletes messages that wait to be sent and hold one of the texts: an address or a VIN. @returns how many. */
export async function deleteMessages(transaction: Transaction<Schema>, texts: readonly string[]): Promise<number> {
  const messages = await transaction.selectFrom('mail_outbox').select(['id', 'mail']).execute();
  const ids = messages.filter(({ mail }) => texts.some((text) => mail.includes(text))).map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('mail_outbox').where('id', 'in', ids).execute();
  return ids.length;
}
