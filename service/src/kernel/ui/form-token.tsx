import { v7, validate } from 'uuid';

/**
 * Makes a form good for once: the token becomes the id of what the form makes, so that sending the form again, as a browser
 * does when its answer is loaded again, makes nothing.
 */
export function FormToken() {
  return <input type="hidden" name="token" value={v7()} />;
}

/** The token of a form; undefined where it has none. */
export function tokenOf(form: URLSearchParams): string | undefined {
  const token = form.get('token') ?? '';
  return validate(token) ? token.toLowerCase() : undefined;
}
