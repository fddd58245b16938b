import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { HttpError } from './http-error.ts';

/** The configuration that `http/` needs. */
export interface BrowserSafetyOptions {
  headerBrand: string;
  baseUrl: string | undefined;
}

/**
 * Opens `/api/*` to any page, without credentials, and lets it read the API's own headers. Everything else
 * stays closed to other origins. All answers carry the headers that keep a browser from guessing, framing and leaking,
 * unless their route sets others.
 *
 * CORS by hand: where any origin may come and none brings credentials it is these few constant headers, and they are
 * put on every answer.
 */
export function keepBrowsersSafe(app: FastifyInstance, options: BrowserSafetyOptions): void {
  const always = Object.entries(safetyHeaders(options.baseUrl));
  const open = Object.entries(openHeaders(options));
  app.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of always) reply.header(name, value);
    if (isApi(request.url)) {
      for (const [name, value] of open) reply.header(name, value);
      if (request.method === 'OPTIONS') {
        reply.code(204).headers(PREFLIGHT).send();
        return;
      }
    }
    done();
  });
}

/** Returns the headers of every answer of the API. */
export function apiHeaders(options: BrowserSafetyOptions): Record<string, string> {
  return { ...safetyHeaders(options.baseUrl), ...openHeaders(options) };
}

function openHeaders({ headerBrand }: BrowserSafetyOptions): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders(headerBrand),
    'cache-control': 'no-store',
  };
}

/** Answers of the CORS preflight, which a browser sends before a request of another page. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-api-key',
  // A day: the longest that any browser keeps a preflight, and the answer never changes while the service runs.
  'access-control-max-age': '86400',
  // Safari waits for a body without it.
  'content-length': '0',
};

/** Returns the headers of answers, in the words of the configured brand. */
export function brandHeaders(headerBrand: string): { auth: string; client: string } {
  return { auth: `X-${headerBrand}-Auth`, client: `X-${headerBrand}-Client` };
}

function exposedHeaders(headerBrand: string): string {
  const { auth, client } = brandHeaders(headerBrand);
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const ids = ['X-Request-Id', 'X-Report-Id', 'X-Catalog-Version', 'Idempotency-Replayed'];
  return [auth, client, ...limits, ...ids, 'ETag', 'Location', 'Retry-After'].join(', ');
}

/** Returns the headers that keep a browser from guessing, framing and leaking. */
export function safetyHeaders(baseUrl: string | undefined): Record<string, string> {
  return {
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // Pages set their own; an answer that is not a page needs none.
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(baseUrl?.startsWith('https:') === true
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/**
 * Matches escapes of characters that mean the same without one (RFC 3986, section 6.2.2.2). None within what may be half
 * of another: without it, that one would become a whole escape.
 */
const ESCAPED = /(?<!%[\da-f]?)%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Characters of a path with escapes: no route has more, and thousands of escapes take a millisecond before any limit applies. */
const LONGEST_ESCAPED = 500;

/**
 * Returns an address as routes read it: without its scheme and host, which proxies may send (RFC 9112, section 3.2.2),
 * and without escapes that its path does not need, unless it is longer than that of any route.
 */
export function plainAddress(url: string): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  const plain = path.length > LONGEST_ESCAPED ? path : path.replace(ESCAPED, (escape) => decodeURIComponent(escape));
  return `${plain.startsWith('/') ? '' : '/'}${plain}${query === -1 ? '' : local.slice(query)}`;
}

/** Returns true if an address belongs to the API, which any page may call. */
export function isApi(url: string): boolean {
  return url.startsWith('/api/');
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses what changes something when a page of another site asks for it. */
export function requireSameOrigin(scope: FastifyInstance, baseUrl: string | undefined): void {
  scope.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || isSameOrigin(request.headers, baseUrl)) return;
    request.log.warn({ origin: request.headers.origin }, 'form from another site refused');
    throw new HttpError(403, refusalOf(request.headers, baseUrl));
  });
}

/** Returns what a sender of a refused form has to change: a program sends no origin, a browser perhaps another one. */
function refusalOf(headers: IncomingHttpHeaders, baseUrl: string | undefined): string {
  const ours = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined)
    return `A program has to send forms with the header Origin: ${ours ?? `http://${headers.host}`}`;
  return `This form was sent from another site. Open the page ${ours === undefined ? 'here' : `at ${ours}`} and try again.`;
}

/**
 * Returns true if a request comes from a page of this service. Browsers state it in `Sec-Fetch-Site`, older ones in
 * `Origin` only, which must be that of `BASE_URL` if it is set; a request with neither is refused: no browser that can
 * have a session sends one.
 */
function isSameOrigin(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin === undefined) return site === 'same-origin';
  // The client's Host header is trusted only if nothing is configured: on one's own machine.
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return [`http://${headers.host}`, `https://${headers.host}`].includes(origin);
}
