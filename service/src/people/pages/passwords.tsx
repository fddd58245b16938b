import type { FastifyRequest } from 'fastify';

import type { AccountParts } from './context.ts';
import { PASSWORD_LENGTH } from '../types.ts';
import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { Field } from '../../kernel/ui/fields.tsx';
import { tooManyText } from '../../kernel/ui/times.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** A new password and who chooses it. */
interface Choice {
  password: string;
  /** The id of the link or the person that it is for: tries are counted for it. */
  chooser: string;
  /** Words about the person: a password must not consist of them. */
  words: readonly string[];
}

/**
 * Returns the fault of a new password; undefined: none. Any characters are allowed: only length and guessability count.
 *
 * @throws HttpError 429 when the chooser or the network has tried too many, 503 when too many choose at this moment.
 */
export async function passwordFault(
  { accounts, networkOf }: Pick<AccountParts & PageKit, 'accounts' | 'networkOf'>,
  request: FastifyRequest,
  { password, chooser, words }: Choice,
): Promise<string | undefined> {
  const fault = lengthFault(password);
  if (fault !== undefined) return fault;
  const wait = await accounts.throttle.countInTurn(
    [ALLOWANCES.newPassword, chooser],
    [ALLOWANCES.newPasswordFromNetwork, networkOf(request)],
  );
  if (wait !== undefined) {
    throw new HttpError(429, tooManyText(wait), { 'retry-after': String(wait) });
  }
  return (await accounts.passwords.isGuessable(password, words))
    ? 'This password is easy to guess. Use a few unrelated words.'
    : undefined;
}

/** Returns the fault of a password's length, counted as people count characters; undefined: none. */
export function lengthFault(password: string): string | undefined {
  const { least, most } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < least) return `Use at least ${least} characters. A few words in a row are easy to remember.`;
  return length > most ? `Use at most ${most} characters.` : undefined;
}

/** The field for a new password. */
export function NewPassword({ fault, label = 'Password' }: { fault?: string | undefined; label?: string }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autocomplete="new-password"
      minLength={PASSWORD_LENGTH.least}
      maxLength={PASSWORD_LENGTH.most}
      hint={`At least ${PASSWORD_LENGTH.least} characters.`}
      fault={fault}
    />
  );
}

/** The field for the current password. */
export function CurrentPassword(props: { id: string; label?: string; name?: string; fault?: string | undefined }) {
  const { label = 'Your password', name = 'password', ...rest } = props;
  return <Field {...rest} label={label} name={name} type="password" autocomplete="current-password" />;
}
