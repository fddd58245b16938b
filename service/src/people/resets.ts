import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ActDeps, audited } from '../kernel/audit/index.ts';
import type { Accounts } from './accounts.ts';
import type { Background, LinkMailer } from './mail.ts';
import { noteChangeIn } from './changes.ts';
import { endResetLinks, findLink, makeLink, type MailedLink, useLink } from './links.ts';
import { changePassword, isPasswordOf, replacePassword } from './people.ts';
import type { Guarded, Person, SetCookies } from './types.ts';

/** The dependencies of resets. */
type Resetting = ActDeps & { accounts: Pick<Accounts, 'idOf' | 'hash'> };

/** Creates a link to set a new password. @returns its token; undefined: no account has the address. */
async function makeReset(deps: Resetting, email: string): Promise<string | undefined> {
  if ((await deps.accounts.idOf(email)) === undefined) return undefined;
  return makeLink(deps, email, { kind: 'reset' });
}

/** Returns the link of a reset, while it is good. */
export async function findReset(deps: ActDeps, token: string): Promise<MailedLink | undefined> {
  const link = await findLink(deps, token);
  return link?.purpose.kind === 'reset' ? link : undefined;
}

/**
 * Sets a new password: the link is spent, all others of the address end, and so do all sessions.
 * @returns whether the link was still good.
 */
export async function resetPassword(
  deps: Resetting & { mailer: Pick<LinkMailer, 'isConfigured'> },
  { id, email }: MailedLink,
  { password, network }: { password: string; network: string },
): Promise<'done' | 'gone'> {
  const personId = await deps.accounts.idOf(email);
  if (personId === undefined) return 'gone';
  const passwordHash = await deps.accounts.hash(password, { network, hasLink: true });
  // Actions are serialized: of two concurrent resets, the second finds its link used.
  return audited(deps, `person:${email}`, async (act) => {
    const { transaction, atMs } = act;
    if (!(await useLink({ kysely: transaction }, id))) return 'gone';
    await noteChangeIn(act, deps, email, 'password.reset');
    await endResetLinks({ kysely: transaction }, email);
    await replacePassword(transaction, { personId, passwordHash }, atMs);
    return 'done';
  });
}

/**
 * Sets another password for a signed-in person; all other sessions end.
 * @returns the cookies of their session.
 */
export async function setPassword(
  deps: ActDeps & {
    accounts: Pick<Accounts, 'confirmPassword' | 'hash' | 'cookieOf'>;
    mailer: Pick<LinkMailer, 'isConfigured'>;
  },
  person: Person,
  { current, next, cookie }: { current: string; next: string; cookie: string },
): Promise<Guarded<SetCookies>> {
  const { accounts, database } = deps;
  const confirmed = await accounts.confirmPassword(person, current, cookie);
  if (confirmed.kind !== 'done') return confirmed;
  const passwordHash = await accounts.hash(next, person);
  const token = await audited(deps, `person:${person.email}`, async (act) => {
    const { transaction, atMs } = act;
    // A link may have set another one while this one was hashed.
    const own = { engine: database.engine, kysely: transaction };
    if (!(await isPasswordOf(own, confirmed.value))) return undefined;
    const renewed = await changePassword(own, person, passwordHash, atMs);
    if (renewed === undefined) return undefined;
    await noteChangeIn(act, deps, person.email, 'password.changed');
    await endResetLinks({ kysely: transaction }, person.email);
    return renewed;
  });
  return token === undefined ? { kind: 'refused' } : { kind: 'done', value: await accounts.cookieOf(token) };
}

/**
 * Mails a link to set a new password, in the background and some time after the answer, which does not reveal whether
 * the address has an account.
 */
export function mailReset(
  deps: Resetting & { mailer: LinkMailer; background: Background },
  to: string,
  baseUrl: string,
): void {
  const work = async (): Promise<void> => {
    await sleep(randomInt(300, 1_500));
    const token = await makeReset(deps, to);
    if (token === undefined) return;
    deps.mailer.send({
      to,
      subject: 'Set a new Marque password',
      before: `Someone, probably you, asked to reset the password for ${to}. Open this link to choose a new one:`,
      link: `${baseUrl}/reset/${token}`,
      after:
        'The link is valid for one hour. If you did not ask for it, ignore this e-mail: your password stays the same.',
    });
  };
  deps.background.run(work());
}
