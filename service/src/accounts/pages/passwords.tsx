import { PASSWORD_LENGTH } from '../auth.ts';
import { Field } from '../../pages/fields.tsx';

/** What is wrong with a new password; undefined: nothing. */
export function passwordFault(password: string): string | undefined {
  const { least, most } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < least) return `Use at least ${least} characters. A few words in a row are easy to keep.`;
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
