import { randomBytes } from 'node:crypto';

import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import { DAY_MS } from '../kernel/clock.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { withdrawInvitationsOf } from './links.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';

/** A person whose address is verified. */
interface NewPerson {
  email: string;
  name: string;
  /** Undefined: the account is opened by a link for a new password only. */
  passwordHash: string | undefined;
}

/**
 * Creates an account in the caller's transaction, as better-auth would: it has no function for that.
 * @returns its id; undefined: the address has an account.
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
 * The password that a person has entered, by its stored hash: each new one has another, also if it is the same text. And
 * whether a second factor was asked for, too.
 */
export interface EnteredPassword {
  personId: string;
  hash: string | null;
  hasSecondFactor: boolean;
}

/** Returns the password of an account, before it is compared with what a person enters; undefined: no account. */
export async function passwordOf(
  { kysely }: Pick<Database, 'kysely'>,
  whose: { id: string } | { email: string },
): Promise<EnteredPassword | undefined> {
  const all = passwords(kysely);
  const own = 'id' in whose ? all.where('auth_users.id', '=', whose.id) : all.where('email', '=', whose.email);
  const row = await own.executeTakeFirst();
  return row && { personId: row.id, hash: row.password, hasSecondFactor: Boolean(row.two_factor_enabled) };
}

/**
 * Returns true if an entered password is still that of the account, and as much as it was. It was compared for a tenth of
 * a second, or waited for its turn: what it allowed must not outlive a new one that was set meanwhile, or the turn to a
 * second factor.
 *
 * @param database its transaction, where one stores what the password allows; otherwise that is stored before.
 */
export async function isPasswordOf(
  { engine, kysely }: Pick<Database, 'engine' | 'kysely'>,
  { personId, hash, hasSecondFactor }: EnteredPassword,
): Promise<boolean> {
  const stored = passwords(kysely).where('auth_users.id', '=', personId);
  // What changes one of these rows does so first, and then ends what it finds: waits until it has.
  const row = await (engine === 'postgres' ? stored.forShare() : stored).executeTakeFirst();
  return row?.password === hash && Boolean(row.two_factor_enabled) === hasSecondFactor;
}

function passwords(kysely: Database['kysely']) {
  return kysely
    .selectFrom('auth_accounts')
    .innerJoin('auth_users', 'auth_users.id', 'auth_accounts.user_id')
    .select(['auth_users.id', 'password', 'two_factor_enabled'])
    .where('provider_id', '=', 'credential');
}

/** The time after which an unused session ends, in milliseconds. */
export const SESSION_MS = 14 * DAY_MS;

/** A signed-in person, by the session. */
type InSession = { id: string; sessionId: string; sessionToken: string };

/**
 * Sets another password for a signed-in person, whose other sessions end: theirs gets another token.
 * @returns that token; undefined: the session has ended.
 */
export async function changePassword(
  own: Pick<Database, 'engine' | 'kysely'>,
  person: InSession,
  passwordHash: string,
  atMs: number,
): Promise<string | undefined> {
  if (!(await hasSession(own, person))) return undefined;
  await setHash(own.kysely, person.id, passwordHash, atMs);
  await withdrawInvitationsOf(own, person.id);
  return keepSession(own.kysely, person, atMs);
}

/**
 * Turns on a second factor that was begun with a key. Other sessions end: no code has begun them.
 * @returns the new token of the session; undefined: it has ended, or another key was made meanwhile.
 */
export async function turnOnSecondFactor(
  own: Pick<Database, 'engine' | 'kysely'>,
  person: InSession,
  key: string,
  atMs: number,
): Promise<string | undefined> {
  const { kysely } = own;
  if ((await keyOf(kysely, person.id)) !== key || !(await hasSession(own, person))) return undefined;
  await kysely.updateTable('auth_users').set({ two_factor_enabled: true }).where('id', '=', person.id).execute();
  await kysely.updateTable('auth_two_factors').set({ verified: true }).where('user_id', '=', person.id).execute();
  return keepSession(kysely, person, atMs);
}

/** Returns the encrypted key of a person's second factor, also of one that is not on yet. */
export async function keyOf(kysely: Database['kysely'], personId: string): Promise<string | undefined> {
  const factor = kysely.selectFrom('auth_two_factors').select('secret').where('user_id', '=', personId);
  return (await factor.executeTakeFirst())?.secret;
}

/** Gives a session another token, and ends the person's other ones, and what waits. @returns that token. */
async function keepSession(kysely: Database['kysely'], person: InSession, atMs: number): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const moment = new Date(atMs);
  const times = { expires_at: new Date(atMs + SESSION_MS), created_at: moment, updated_at: moment };
  // The same row: who ends it at this moment ends it with either token.
  await kysely
    .updateTable('auth_sessions')
    .set({ token, ...times })
    .where('id', '=', person.sessionId)
    .execute();
  await endSession({ kysely }, person, 'others');
  return token;
}

async function setHash(
  kysely: Database['kysely'],
  personId: string,
  passwordHash: string | undefined,
  atMs: number,
): Promise<void> {
  await kysely
    .updateTable('auth_accounts')
    .set({ password: passwordHash ?? null, updated_at: new Date(atMs) })
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .execute();
}

/**
 * Sets a password: all sessions end, and sign-ins that were begun with the old one, and the invitations that the person
 * has sent are withdrawn, of which someone else with the old password may have sent one to themselves.
 * @param passwordHash undefined: no password signs in, and a link sets the next one.
 * @returns how many sessions have ended.
 */
export async function replacePassword(
  transaction: Transaction<Schema>,
  { personId, passwordHash }: { personId: string; passwordHash: string | undefined },
  atMs: number,
): Promise<number> {
  await setHash(transaction, personId, passwordHash, atMs);
  await withdrawInvitationsOf({ kysely: transaction }, personId);
  return endSessions(transaction, personId);
}

/**
 * Ends what waits for another step of a person, or (undefined) of everyone: sign-ins for their code, and new addresses
 * for their proof.
 */
export async function endWaiting(kysely: Database['kysely'], personId: string | undefined): Promise<void> {
  const all = kysely.deleteFrom('auth_verifications');
  await (personId === undefined ? all : all.where('value', '=', personId)).execute();
}

/** Returns true if these recovery codes are those of a person's second factor: one begun later has others. */
export async function haveRecoveryCodes(
  { kysely }: Pick<Database, 'kysely'>,
  personId: string,
  codes: readonly string[],
): Promise<boolean> {
  const stored = kysely.selectFrom('auth_two_factors').select('backup_codes').where('user_id', '=', personId);
  const wanted = JSON.stringify(codes.map(hashOfRecoveryCode));
  return (await stored.execute()).some(({ backup_codes: hashes }) => hashes === wanted);
}

/** Replaces the recovery codes of a second factor. @returns whether there is one. */
export async function replaceRecoveryCodes(
  kysely: Database['kysely'],
  personId: string,
  codes: readonly string[],
): Promise<boolean> {
  const stored = { backup_codes: JSON.stringify(codes.map(hashOfRecoveryCode)) };
  const replaced = kysely.updateTable('auth_two_factors').set(stored).where('user_id', '=', personId);
  return (await replaced.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Ends the second factor of an account. @returns whether it had one. */
export async function removeSecondFactor(kysely: Database['kysely'], personId: string): Promise<boolean> {
  await kysely.updateTable('auth_users').set({ two_factor_enabled: false }).where('id', '=', personId).execute();
  const gone = await kysely.deleteFrom('auth_two_factors').where('user_id', '=', personId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Removes an account with its sessions, memberships, second factor, and the links that would open one of its address. */
export async function removePerson(transaction: Transaction<Schema>, personId: string): Promise<void> {
  await transaction
    .deleteFrom('account_links')
    .where('purpose', 'in', ['reset', 'sign-up'])
    .where('email', 'in', transaction.selectFrom('auth_users').select('email').where('id', '=', personId))
    .execute();
  await transaction.deleteFrom('auth_users').where('id', '=', personId).execute();
}

/** Sessions that a page lists: what follows them on the page stays in reach. */
export const SESSIONS_LISTED = 20;

/** A session of a person, on some browser. */
export interface BrowserSession {
  id: string;
  userAgent: string;
  createdAtMs: number;
}

/**
 * Lists a person's browser sessions: the one that asks, then those used last. See `Accounts.personOf` for the session of a
 * request's cookie.
 */
export async function sessionsOf(
  { kysely }: Database,
  person: { id: string; sessionId: string },
): Promise<BrowserSession[]> {
  const rows = await kysely
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'created_at', 'updated_at', 'expires_at'])
    .where('user_id', '=', person.id)
    .orderBy((row) => row.case().when('id', '=', person.sessionId).then(0).else(1).end())
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SESSIONS_LISTED)
    .execute();
  return rows
    .filter((row) => new Date(row.expires_at).getTime() > Date.now())
    .map((row) => ({
      id: row.id,
      userAgent: row.user_agent ?? '',
      createdAtMs: new Date(row.created_at).getTime(),
    }));
}

/** Returns true if a session has not ended, nor is being ended. */
export async function hasSession(
  { engine, kysely }: Pick<Database, 'engine' | 'kysely'>,
  { sessionId, sessionToken }: Omit<InSession, 'id'>,
): Promise<boolean> {
  const all = kysely.selectFrom('auth_sessions').select('id');
  const session = all.where('id', '=', sessionId).where('token', '=', sessionToken);
  return (await (engine === 'postgres' ? session.forShare() : session).executeTakeFirst()) !== undefined;
}

/**
 * Ends one of a person's sessions by its id, or (`others`) all but the one that asks, and what waits: a stranger in one of
 * them may have asked for it.
 */
export async function endSession(
  { kysely }: Pick<Database, 'kysely'>,
  person: InSession,
  which: string,
): Promise<void> {
  const own = kysely.deleteFrom('auth_sessions').where('user_id', '=', person.id);
  await (which === 'others' ? own.where('id', '!=', person.sessionId) : own.where('id', '=', which)).execute();
  // After it: until then the session could ask for more.
  await endWaiting(kysely, person.id);
}

/** Ends all sessions of a person, or (undefined) of everyone, and begun sign-ins. @returns how many sessions. */
export async function endSessions(kysely: Database['kysely'], personId: string | undefined): Promise<number> {
  const all = kysely.deleteFrom('auth_sessions');
  const { numDeletedRows } = await (
    personId === undefined ? all : all.where('user_id', '=', personId)
  ).executeTakeFirst();
  await endWaiting(kysely, personId);
  return Number(numDeletedRows);
}
