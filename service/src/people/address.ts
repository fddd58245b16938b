import { createHash, randomBytes } from 'node:crypto';

import { v7 } from 'uuid';

import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import { HOUR_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import type { Accounts } from './accounts.ts';
import { noteChangeIn } from './changes.ts';
import { endResetLinks } from './links.ts';
import type { Background, LinkMailer } from './mail.ts';
import { endWaiting, type EnteredPassword, hasSession, isPasswordOf } from './people.ts';

/** The length of a token's random part, which the address follows, in characters. */
const RANDOM = 64;

/**
 * Mails a link that proves a new address, in the background. An address that has an account gets none, and the answer
 * does not disclose that.
 *
 * @param asked the password and the session with which it was asked for: without them, none is mailed.
 * @param page the link's target; `token` is added to it.
 */
export function mailProof(
  deps: ActDeps & { accounts: Pick<Accounts, 'idOf'>; mailer: LinkMailer; background: Background },
  asked: { entered: EnteredPassword; sessionId: string; sessionToken: string },
  { to, page }: { to: string; page: string },
): void {
  const work = async (): Promise<void> => {
    if ((await deps.accounts.idOf(to)) !== undefined) return;
    // In hex: the log masks texts that look like a VIN between other characters.
    const token = randomBytes(RANDOM / 2).toString('hex') + Buffer.from(to).toString('hex');
    const atMs = deps.clock();
    const moment = new Date(atMs);
    const times = { expires_at: new Date(atMs + HOUR_MS), created_at: moment, updated_at: moment };
    const { engine, kysely } = deps.database;
    const isAsked = await kysely.transaction().execute(async (transaction) => {
      const own = { engine, kysely: transaction };
      if (!(await isPasswordOf(own, asked.entered)) || !(await hasSession(own, asked))) return false;
      await transaction
        .insertInto('auth_verifications')
        .values({ id: v7({ msecs: atMs }), identifier: identifierOf(token), value: asked.entered.personId, ...times })
        .execute();
      return true;
    });
    if (!isAsked) return;
    deps.mailer.send({
      to,
      subject: 'Confirm your new Marque address',
      before: `Someone, probably you, asked to sign in to a Marque account as ${to} from now on. Open this link to confirm it:`,
      link: `${page}?token=${token}`,
      after: 'The link is valid for one hour. If you did not ask for it, ignore this e-mail: nothing changes.',
    });
  };
  deps.background.run(work());
}

/**
 * Gives an account the address that a mailed token proves, and uses the token up. The old address is notified; its
 * links end, and all that waits for that person.
 *
 * @returns the new address; undefined: the token is no longer valid, or another account has the address.
 */
export async function changeAddress(
  deps: ActDeps & {
    mailer: Pick<LinkMailer, 'isConfigured'>;
    holdings: { readdress: (act: Act, from: string, to: string) => Promise<void> };
  },
  token: string,
): Promise<string | undefined> {
  const known = await provenBy(deps.database, token, deps.clock());
  if (known === undefined) return undefined;
  const to = Buffer.from(token.slice(RANDOM), 'hex').toString();
  return audited(deps, `person:${known.email}`, async (act) => {
    const { transaction, atMs } = act;
    // Actions are serialized: of two uses at once, the second one finds nothing.
    const person = await provenBy({ kysely: transaction }, token, atMs);
    if (person?.email !== known.email) return undefined;
    const taken = transaction.selectFrom('auth_users').select('id').where('email', '=', to);
    if ((await taken.executeTakeFirst()) !== undefined) return undefined;
    const renewed = { email: to, updated_at: new Date(atMs) };
    await transaction.updateTable('auth_users').set(renewed).where('id', '=', person.id).execute();
    await endWaiting(transaction, person.id);
    await noteChangeIn(act, deps, person.email, 'address.changed', { to });
    await endResetLinks({ kysely: transaction }, person.email);
    await deps.holdings.readdress(act, person.email, to);
    return to;
  });
}

/** Returns whose address a token may change, while it is good. */
async function provenBy(
  { kysely }: Pick<Database, 'kysely'>,
  token: string,
  nowMs: number,
): Promise<{ id: string; email: string } | undefined> {
  return kysely
    .selectFrom('auth_verifications')
    .innerJoin('auth_users', 'auth_users.id', 'auth_verifications.value')
    .select(['auth_users.id', 'auth_users.email'])
    .where('identifier', '=', identifierOf(token))
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst();
}

function identifierOf(token: string): string {
  return `address:${createHash('sha256').update(token).digest('hex')}`;
}
