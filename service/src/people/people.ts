import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Schema } from '../kernel/db/index.ts';
import { endSessions } from './sessions.ts';

/** A person whose address is verified. */
interface NewPerson {
  email: string;
  name: string;
  /** Undefined: the account is opened by a link for a new password only. */
  passwordHash: string | undefined;
}

/**
 * Creates an account in the caller's transaction, as better-auth would: it has no function for that.
 * @returns its id; undefined: the address has one.
 */
export async function insertPerson(
  transaction: Transaction<Schema>,
  { email, name, passwordHash }: NewPerson,
  atMs: number,
): Promise<string | undefined> {
  const id = v7({ msecs: atMs });
  const moment = new Date(atMs);
  const times = { created_at: moment, updated_at: moment };
  const made = await transaction
    .insertInto('auth_users')
    .values({ id, name, email, email_verified: true, ...times })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 0n) return undefined;
  const way = { id: v7({ msecs: atMs }), account_id: id, provider_id: 'credential', user_id: id, ...times };
  await transaction
    .insertInto('auth_accounts')
    .values({ ...way, password: passwordHash ?? null })
    .execute();
  return id;
}

/**
 * Sets a password: all sessions end, and sign-ins that were begun with the old one.
 * @param passwordHash undefined: no password signs in, and a link sets the next one.
 * @returns how many sessions have ended.
 */
export async function replacePassword(
  transaction: Transaction<Schema>,
  { personId, passwordHash }: { personId: string; passwordHash: string | undefined },
  atMs: number,
): Promise<number> {
  await transaction
    .updateTable('auth_accounts')
    .set({ password: passwordHash ?? null, updated_at: new Date(atMs) })
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .execute();
  await transaction.deleteFrom('auth_verifications').where('value', '=', personId).execute();
  return endSessions(transaction, personId);
}

/** Ends the second factor of an account. @returns whether it had one. */
export async function removeSecondFactor(transaction: Transaction<Schema>, personId: string): Promise<boolean> {
  await transaction.updateTable('auth_users').set({ two_factor_enabled: false }).where('id', '=', personId).execute();
  const gone = await transaction.deleteFrom('auth_two_factors').where('user_id', '=', personId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}
