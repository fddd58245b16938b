import { v7, validate } from 'uuid';

/**
 * Makes a form single-use: the token becomes the id of what the form creates, so that submitting it again, as a browser
 * does when the answer is reloaded, creates nothing.
 */
export function FormToken() {
  return <input type="hidden" name="token" value={v7()} />;
}

/** The token of a form; undefined where it has none. */
export function tokenOf(form: URLSearchParams): string | undefined {
  const token = form.get('token') ?? '';
  return validate(token) ? token.toLowerCase() : undefined;
}
