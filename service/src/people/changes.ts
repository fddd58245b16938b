import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import { enqueueMail } from '../kernel/mail/index.ts';
import type { LinkMailer } from './mail.ts';

/** Changes to the credentials of an account, and the message that its owner gets. */
const CHANGES = {
  'password.changed':
    'The password of your account was changed. All other sessions have ended, and your open invitations are withdrawn.',
  'password.reset':
    'A new password was set for your account with a link from an e-mail. All sessions have ended, and your open invitations are withdrawn.',
  'address.changed': 'Your account has another e-mail address now. This one no longer signs in.',
  'second-factor.on': 'A second factor was set up for your account. All other sessions have ended.',
  'second-factor.off': 'The second factor of your account was turned off. The password alone is now enough to sign in.',
  'recovery-codes.made': 'New recovery codes were created for your account. The old ones no longer work.',
  'recovery-code.used': 'Someone signed in to your account with a recovery code.',
  'account.closed': 'Your account was closed.',
} as const;

/** A credential change. */
type AccountChange = keyof typeof CHANGES;

/** Owners are notified of changes if there is a mail server. */
type Notifier = Pick<LinkMailer, 'isConfigured'>;

/**
 * Records a credential change in the audit log and, if there is a mail server, notifies the owner by mail, in case it
 * was not the owner who made it.
 */
export async function noteChange(
  deps: ActDeps & { mailer: Notifier },
  email: string,
  changed: AccountChange,
): Promise<void> {
  await audited(deps, `person:${email}`, (act) => noteChangeIn(act, deps, email, changed));
}

/** Does the same as part of the action that makes the change. */
export async function noteChangeIn(
  { transaction, atMs, appendEntry }: Act,
  { mailer }: { mailer: Notifier },
  email: string,
  changed: AccountChange,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await appendEntry({ action: changed, subject: `person:${email}`, details });
  if (!mailer.isConfigured) return;
  const text = `${CHANGES[changed]}\n\nIf this was not you, set a new password now, end all sessions, and tell the operator of the service.\n`;
  await enqueueMail(transaction, { to: email, subject: 'A change to your Marque account', text }, atMs);
}
