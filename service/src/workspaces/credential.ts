import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer(?: +|$)/i;

/**
 * The key that a request carries: `x-api-key`, else `Authorization: Bearer`; undefined: none was sent. An empty
 * `x-api-key` is none, as it is for every gateway that fills in a header from a setting; an empty bearer token is a
 * mistake, and counts as sent.
 */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  // Sent twice, Node gives one text with a comma: no key looks so.
  const sent = typeof key === 'string' ? key.trim() : '';
  if (sent !== '') return sent;
  const authorization = headers.authorization;
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.replace(BEARER, '').trim();
}
