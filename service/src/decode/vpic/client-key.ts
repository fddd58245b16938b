import type { FastifyRequest } from 'fastify';

const BASIC = /^basic +([a-z0-9+/=_-]+)$/i;
const BEARER = /^bearer(?: |$)/i;

/** How every key of ours begins. */
const KEY_PREFIX = 'mq_';

/**
 * A hook for clients that cannot set a header: takes the key out of HTTP Basic credentials (as the password, or as the
 * name of a user without one), or out of `api_key` in the query, as if it had come in `x-api-key`: an empty one is refused,
 * too. What is in `x-api-key` or a bearer token goes before. For these routes only: addresses end up in other people's logs.
 */
export async function readClientKey({ headers, query }: FastifyRequest): Promise<void> {
  if (headers['x-api-key'] !== undefined || BEARER.test(headers.authorization ?? '')) return;
  const key = keyOfBasic(headers.authorization) ?? keyOfQuery(query);
  if (key !== undefined) headers['x-api-key'] = key;
}

function keyOfBasic(authorization: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const password = rest.join(':');
  const key = user.startsWith(KEY_PREFIX) || password === '' ? user : password;
  return key.trim() === '' ? undefined : key.trim();
}

function keyOfQuery(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('api_key' in query)) return undefined;
  return String(query.api_key).trim();
}
