import { HttpError } from './http-error.ts';

/** Our largest form has about ten fields: this many are an attack. */
const MOST_FIELDS = 200;

/**
 * Reads a form as browsers send it (`application/x-www-form-urlencoded`).
 *
 * @throws HttpError 400 when it has too many fields, before they are read: thousands take milliseconds.
 */
export function readFields(body: string): URLSearchParams {
  if (body.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw new HttpError(400, 'The form has too many fields.');
  return new URLSearchParams(body);
}
