import { type Act, audited } from '../kernel/audit/index.ts';
import type { Accounts } from './accounts.ts';
import type { AddressProof } from './auth.ts';
import { type NoteDeps, noteChangeIn } from './changes.ts';
import { endResetLinks } from './links.ts';
import type { LinkMail } from './mail.ts';

/** What changing an address needs. */
export interface AddressDeps extends NoteDeps {
  accounts: Pick<Accounts, 'proveAddress'>;
  /** What else is known by the address. */
  holdings: { readdress: (act: Act, from: string, to: string) => Promise<void> };
}

/** The message that proves a new address. */
export function addressMail({ to, link }: AddressProof): LinkMail {
  return {
    to,
    subject: 'Confirm your new Marque address',
    before: `Someone, probably you, asked to sign in to a Marque account as ${to} from now on. Open this link to confirm it:`,
    link,
    after: 'The link is valid for one hour. If you did not ask for it, ignore this e-mail: nothing changes.',
  };
}

/**
 * Gives an account the address that a token from a mail proves. The old one is told, and its links end.
 * @returns the new address; undefined: the token is no longer good, or another account has the address.
 */
export async function changeAddress(deps: AddressDeps, token: string): Promise<string | undefined> {
  const proven = await deps.accounts.proveAddress(token);
  if (proven === undefined) return undefined;
  const { from, to } = proven;
  await audited(deps, `person:${from}`, async (act) => {
    await noteChangeIn(act, deps, from, 'address.changed', { to });
    await endResetLinks({ kysely: act.transaction }, from);
    await deps.holdings.readdress(act, from, to);
  });
  return to;
}
