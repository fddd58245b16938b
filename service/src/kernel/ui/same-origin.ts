import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { HttpError } from '../http/http-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses what changes something when a page of another site asks for it. */
export function requireSameOrigin(scope: FastifyInstance, baseUrl: string | undefined): void {
  scope.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || isSameOrigin(request.headers, baseUrl)) return;
    request.log.warn({ origin: request.headers.origin }, 'form from another site refused');
    throw new HttpError(403, 'This form was sent from another site. Open the page here and try again.');
  });
}

/**
 * Whether a request comes from a page of this service. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`
 * only, which must be that of `BASE_URL` where it is set; a request with neither is refused: no browser that can hold a
 * session sends one.
 */
function isSameOrigin(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin === undefined) return site === 'same-origin';
  // What the client says of the host it asked for is trusted only where nothing is configured: on one's own machine.
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return [`http://${headers.host}`, `https://${headers.host}`].includes(origin);
}
