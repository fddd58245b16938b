import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { endResetLinks, makeLink } from './links.ts';
import { endSessions, insertPerson, removeSecondFactor, replacePassword } from './people.ts';

/** Returns true if the user is an administrator. */
export async function isAdministrator({ kysely }: Pick<Database, 'kysely'>, userId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('administrators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The new administrator; the name is for an account that has to be created. */
interface Appointed {
  email: string;
  name: string;
}

/** The result of an appointment. */
interface Appointment {
  id: string;
  /** The sessions and second factor ended for an existing account; undefined: the account is new. */
  ended: { sessions: number; hadSecondFactor: boolean } | undefined;
  /** True if they were not an administrator before. */
  isNew: boolean;
  /** The token of the link that sets the password: the only way into the account. */
  token: string;
}

/**
 * Makes someone an administrator. An existing account with this address may not be theirs: its password, sessions,
 * second factor and links end, and the new link is the only way in.
 */
export async function appointAdministrator(
  deps: ActDeps,
  { email, name }: Appointed,
  actor: Actor,
): Promise<Appointment> {
  return audited(deps, actor, async (act) => {
    const { transaction, atMs, appendEntry } = act;
    const known = await transaction.selectFrom('auth_users').select('id').where('email', '=', email).executeTakeFirst();
    const id = known?.id ?? (await insertPerson(transaction, { email, name, passwordHash: undefined }, atMs));
    // Accounts are created by audited actions, which are serialized.
    if (id === undefined) throw new Error('An account was created outside an audited action.');
    const ended = known === undefined ? undefined : await endWaysIn(act, { id, email });
    const made = await transaction
      .insertInto('administrators')
      .values({ user_id: id, created_at: atMs })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    const isNew = made.numInsertedOrUpdatedRows !== 0n;
    const token = await makeLink({ database: { kysely: transaction }, clock: deps.clock }, email, { kind: 'reset' });
    const action = isNew ? 'administrator.created' : 'administrator.reset';
    await appendEntry({ action, subject: `person:${email}`, details: ended ?? {} });
    return { id, ended, isNew, token };
  });
}

/** The result of a removal; `left`: how many administrators there still are. */
type Removal =
  | { kind: 'removed'; sessions: number; left: number }
  | { kind: 'no account' }
  | { kind: 'no administrator' };

/** Ends the right of an administrator, and all sessions: the account stays an ordinary one, in its workspaces. */
export async function removeAdministrator(deps: ActDeps, email: string, actor: Actor): Promise<Removal> {
  return audited<Removal>(deps, actor, async ({ transaction, appendEntry }) => {
    const known = await transaction.selectFrom('auth_users').select('id').where('email', '=', email).executeTakeFirst();
    if (known === undefined) return { kind: 'no account' };
    const rows = transaction.deleteFrom('administrators').where('user_id', '=', known.id);
    if ((await rows.executeTakeFirst()).numDeletedRows === 0n) return { kind: 'no administrator' };
    const sessions = await endSessions(transaction, known.id);
    await appendEntry({ action: 'administrator.removed', subject: `person:${email}`, details: { sessions } });
    const left = await transaction.selectFrom('administrators').select('user_id').execute();
    return { kind: 'removed', sessions, left: left.length };
  });
}

async function endWaysIn(
  { transaction, atMs }: Act,
  person: { id: string; email: string },
): Promise<{ sessions: number; hadSecondFactor: boolean }> {
  const sessions = await replacePassword(transaction, { personId: person.id, passwordHash: undefined }, atMs);
  const hadSecondFactor = await removeSecondFactor(transaction, person.id);
  await endResetLinks({ kysely: transaction }, person.email);
  return { sessions, hadSecondFactor };
}
