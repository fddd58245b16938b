import { PASSWORD_LENGTH } from '../../features/accounts/auth.ts';
import { isGuessable } from '../../features/accounts/guessable.ts';
import { Field } from '../../platform/ui/fields.tsx';

/**
 * What is wrong with a new password; undefined: nothing. Any characters will do: length and not being guessed is all.
 *
 * @param words about the person, which their password must not be made of.
 */
export async function passwordFault(password: string, words: readonly string[]): Promise<string | undefined> {
  const { least, most } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < least) return `Use at least ${least} characters. A few words in a row are easy to keep.`;
  if (length > most) return `Use at most ${most} characters.`;
  return (await isGuessable(password, words))
    ? 'This password is easy to guess. Take a few words that do not belong together.'
    : undefined;
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
