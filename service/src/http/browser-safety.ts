import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What `http/` needs of the configuration. */
export interface BrowserSafetyOptions {
  headerBrand: string;
  baseUrl: string | undefined;
}

/**
 * `/api/*` may be called from any page, without credentials, and its own headers may be read there. Everything else
 * stays closed to other origins. All answers carry the headers that keep a browser from guessing, framing and leaking.
 */
export async function keepBrowsersSafe(app: FastifyInstance, options: BrowserSafetyOptions): Promise<void> {
  const open = {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-api-key'],
    exposedHeaders: exposedHeaders(options.headerBrand),
    // A day: the longest that any browser keeps a preflight, and the answer never changes while the service runs.
    maxAge: 86_400,
    strictPreflight: false,
  };
  const closed = { origin: false };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: object) => void) =>
      done(null, isApi(request.url) ? open : closed),
  });

  const always = safetyHeaders(options.baseUrl);
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(always)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    if (isApi(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** The headers of answers, in the words of the configured brand. */
export function brandHeaders(headerBrand: string): { auth: string; client: string } {
  return { auth: `X-${headerBrand}-Auth`, client: `X-${headerBrand}-Client` };
}

function exposedHeaders(headerBrand: string): string[] {
  const { auth, client } = brandHeaders(headerBrand);
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  return [auth, client, ...limits, 'X-Request-Id', 'Retry-After'];
}

/** The headers that keep a browser from guessing, framing and leaking. */
export function safetyHeaders(baseUrl: string | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // Pages set their own; an answer that is no page needs nothing at all.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** Whether an address belongs to the API, which any page may call. */
export function isApi(url: string): boolean {
  return url.startsWith('/api/');
}
