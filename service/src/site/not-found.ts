import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Accounts, findPerson } from '../people/index.ts';
import { sendErrorPage } from '../kernel/ui/error-page.tsx';
import { textOf } from '../kernel/http/errors.ts';
import { andList, orList } from '../kernel/lists.ts';

/**
 * Answers 404 for an unknown path, and 405 with `Allow` for a known path under a method that it does not have.
 *
 * Fastify's router tells the two apart only per method, so the known paths are noted as routes are added. Register this
 * after CORS, whose headers its answers carry too, and before the first route.
 */
export function answerUnknownPaths(app: FastifyInstance, accounts: Accounts): void {
  const known: KnownPath[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ url, methods: [method].flat() });
  });
  // Before the body is read: the path is wrong in any case.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done();
    else if (isPerson(request)) findPerson(accounts, request, reply).then(() => refuse(known, request, reply), done);
    else refuse(known, request, reply);
  });
  app.setNotFoundHandler((request, reply) => refuse(known, request, reply));
}

interface KnownPath {
  url: string;
  methods: string[];
}

function refuse(known: readonly KnownPath[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.replace(/[?#].*$/s, '');
  const allowed = new Set(known.filter(({ url }) => patternOf(url).test(path)).flatMap(({ methods }) => methods));
  if (allowed.size === 0 || allowed.has(request.method)) {
    return isPerson(request)
      ? sendErrorPage(reply.header('cache-control', 'no-store'), 404, textOf(404))
      : reply.code(404).send({ error: `${textOf(404)}${hintFor(known, path)}` });
  }
  const page = isPerson(request) ? pageAbove(known, path) : undefined;
  if (page !== undefined) return reply.redirect(page, 303);
  const methods = [...allowed].join(', ');
  return reply
    .code(405)
    .header('allow', methods)
    .send({ error: `${textOf(405)} Use ${orList([...allowed])}.` });
}

/** Returns the nearest page above an address that only accepts forms: where a person who loads it wants to be. */
function pageAbove(known: readonly KnownPath[], path: string): string | undefined {
  for (let above = path; above.length > 1;) {
    above = above.slice(0, above.lastIndexOf('/')) || '/';
    const isPage = known.some(({ url, methods }) => methods.includes('GET') && patternOf(url).test(above));
    if (isPage) return above;
  }
  return undefined;
}

/** Clients of NHTSA's API may call methods that are not here: the catalog would have to guess their answers. */
function hintFor(known: readonly KnownPath[], path: string): string {
  if (!path.toLowerCase().startsWith('/api/vehicles/')) return '';
  const methods = new Set(known.flatMap(({ url }) => /^\/api\/vehicles\/(\w+)/.exec(url)?.[1] ?? []));
  return ` Of NHTSA's methods, this service has ${andList([...methods].toSorted((a, b) => a.localeCompare(b)))}.`;
}

/** Returns true if a person sees the answer in a browser. Programs call the API, or accept anything. */
function isPerson({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');
}

/** The patterns of routes' paths, built at the first request for an unknown path. */
const patterns = new Map<string, RegExp>();

/** Returns a route's path as a pattern: `:name` is one segment, `*` is anything. */
function patternOf(url: string): RegExp {
  const made = patterns.get(url);
  if (made !== undefined) return made;
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+|\*/g, (wild) => (wild === '*' ? '.*' : '[^/]+'));
  const pattern = new RegExp(`^${source}/?$`);
  patterns.set(url, pattern);
  return pattern;
}
