import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer(?: +|$)/i;

/**
 * The key that a request carries: `x-api-key`, else `Authorization: Bearer`; undefined: none was sent.
 * An empty one counts as sent, so that a client whose key went missing is told so.
 */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (key !== undefined) return typeof key === 'string' ? key.trim() : '';
  const authorization = headers.authorization;
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.replace(BEARER, '').trim();
}
