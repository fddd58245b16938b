import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer(?: +|$)/i;

/**
 * The key that a request carries: `x-api-key`, else `Authorization: Bearer`; undefined: none was sent. An empty one counts
 * as sent, and is refused: a setting that was never filled in must not make a subscriber public without a word.
 */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  // Sent twice, Node gives one text with a comma: no key looks so.
  if (key !== undefined) return String(key).trim();
  const authorization = headers.authorization;
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.replace(BEARER, '').trim();
}
