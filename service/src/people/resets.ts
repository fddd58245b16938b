import { audited } from '../kernel/audit/index.ts';
import type { Accounts } from './accounts.ts';
import { type NoteDeps, noteChangeIn } from './changes.ts';
import { endResetLinks, findLink, makeLink, type MailedLink, useLink } from './links.ts';
import { replacePassword } from './people.ts';

/** What resets need. */
export interface ResetDeps extends NoteDeps {
  accounts: Pick<Accounts, 'idOf' | 'hash'>;
}

/** Makes a link to set a new password. @returns its token; undefined: no account has the address. */
export async function makeReset(
  deps: Pick<ResetDeps, 'accounts' | 'database' | 'clock'>,
  email: string,
): Promise<string | undefined> {
  if ((await deps.accounts.idOf(email)) === undefined) return undefined;
  return makeLink(deps, email, { kind: 'reset' });
}

/** The link of a reset, while it is good. */
export async function findReset(
  deps: Pick<ResetDeps, 'database' | 'clock'>,
  token: string,
): Promise<MailedLink | undefined> {
  const link = await findLink(deps, token);
  return link?.purpose.kind === 'reset' ? link : undefined;
}

/**
 * Sets a new password: the link is spent, all others of the address end, and so do all sessions.
 * @returns whether the link was still good.
 */
export async function resetPassword(
  deps: ResetDeps,
  { id, email }: MailedLink,
  password: string,
): Promise<'done' | 'gone'> {
  const personId = await deps.accounts.idOf(email);
  if (personId === undefined) return 'gone';
  const passwordHash = await deps.accounts.hash(password);
  // One act after the other: of two resets that come at once the second finds its link ended.
  return audited(deps, `person:${email}`, async (act) => {
    const { transaction, atMs } = act;
    if (!(await useLink({ kysely: transaction }, id))) return 'gone';
    await noteChangeIn(act, deps, email, 'password.reset');
    await endResetLinks({ kysely: transaction }, email);
    await replacePassword(transaction, { personId, passwordHash }, atMs);
    return 'done';
  });
}
