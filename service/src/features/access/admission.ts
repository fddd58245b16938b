import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Caller } from './index.ts';
import { isApi } from '../../platform/http/browser-safety.ts';
import { RETRY_AFTER_SECONDS, textOf } from '../../platform/http/errors.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Kinds of requests, in the order in which they are shed when there are too many. */
type Kind = 'public' | 'batch' | 'free' | 'paid';

/** Requests of callers that may be under way at once: about half a second's worth on one core. */
const MOST_UNDER_WAY = 4_000;

/** The share of the limit that each kind may use: what is above is kept for the kinds behind it. */
const SHARE: Readonly<Record<Kind, number>> = { public: 0.4, batch: 0.6, free: 0.8, paid: 1 };

/** How often the lateness of the event loop is measured, milliseconds. */
const MEASURE_EVERY_MS = 50;

/** Made once: shedding must cost little, or it takes the time of those who are let in. */
const REFUSAL = JSON.stringify({ error: textOf(503) });
const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SECONDS),
  'content-type': 'application/json; charset=utf-8',
};

/** The address of a batch, with whatever stands behind it. */
const BATCH = /batch\/?(?:\?|$)/i;

/**
 * How long the answer to a shed request is held back. A refusal costs a quarter of a decode; callers who tried again at
 * once would leave no time for those who are let in, and few heed `Retry-After`.
 */
const HOLD_MS = 1_000;

/** Refusals that are held at once; beyond, they are told at once. Each takes some kilobytes. */
const MOST_HELD = 5_000;

/** How often a line in the log says how many were shed. */
const LOG_EVERY_MS = 1_000;

/** Bounds of admission. */
export interface AdmissionBounds {
  /** Requests that may be under way at once. */
  most: number;
  /** How long a refusal is held back. */
  holdMs: number;
}

/**
 * Sheds requests of callers while too many are under way: those without a key first, then batches, then the plan
 * free, then all. They are shed before their body is read, and count from when it is there, so that a slow sender
 * takes nobody's place. Health, pages and sign-in know no caller here and are always let in.
 *
 * @param headers what every answer carries.
 */
export function shedLoad(
  app: FastifyInstance,
  headers: Record<string, string> = {},
  { most, holdMs }: AdmissionBounds = { most: MOST_UNDER_WAY, holdMs: HOLD_MS },
): void {
  const limit = new ConcurrencyLimit(most);
  const refuse = refuseLater(holdMs, shedLog(app));
  let underWay = 0;
  const isFull = (kind: Kind): boolean => underWay >= limit.size * SHARE[kind];
  measureLateness(app, (lateMs) => limit.measure(lateMs, underWay));
  shedBeforeFastify(app, isFull, { ...headers, ...REFUSAL_HEADERS }, refuse);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.caller === null || !isFull(kindOf(request, request.caller))) {
      done();
      return;
    }
    refuse(() => {
      void reply.code(503).headers(REFUSAL_HEADERS).serializer(String).send(REFUSAL);
    });
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (request.caller !== null) {
      underWay += 1;
      // Not the hook onResponse: it does not run when the client has gone before its answer.
      finished(reply.raw, () => {
        underWay -= 1;
      });
    }
    done();
  });
}

/**
 * Sheds what can be judged by its headers before Fastify sees it. At three times what the service can
 * bear, two of three requests come to this: what each costs is taken from those that are served.
 */
function shedBeforeFastify(
  app: FastifyInstance,
  isFull: (kind: Kind) => boolean,
  headers: Record<string, string>,
  refuse: (answer: () => void) => void,
): void {
  const [handle] = app.server.listeners('request');
  if (handle === undefined) throw new Error('The server handles no requests yet.');
  const flat = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(REFUSAL)) }).flat();
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const kind = kindByHeaders(request);
    if (kind === undefined || !isFull(kind)) {
      handle.call(app.server, request, response);
      return;
    }
    refuse(() => response.writeHead(503, flat).end(REFUSAL));
  });
}

/** Holds refusals back for a while. */
function refuseLater(holdMs: number, log: () => void): (answer: () => void) => void {
  let held = 0;
  return (answer) => {
    log();
    if (held >= MOST_HELD) {
      answer();
      return;
    }
    held += 1;
    setTimeout(() => {
      held -= 1;
      answer();
    }, holdMs);
  };
}

/** The kind of a request, where its address and headers tell it. A preflight costs nothing and asks for nothing. */
function kindByHeaders({ url = '', headers, method }: IncomingMessage): Kind | undefined {
  if (!isApi(url) || method === 'OPTIONS') return undefined;
  if (headers['x-api-key'] === undefined && headers.authorization === undefined) return 'public';
  return BATCH.test(url) ? 'batch' : undefined;
}

/** Logs how many were shed in a second: a line for each would be one more thing too much. */
function shedLog(app: FastifyInstance): () => void {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    app.log.warn({ count }, 'requests shed: too many under way');
    count = 0;
    timer = undefined;
  };
  app.addHook('onClose', () => clearTimeout(timer));
  return () => {
    count += 1;
    timer ??= setTimeout(write, LOG_EVERY_MS).unref();
  };
}

/** Measures how late the event loop is, again and again, until the app closes. */
function measureLateness(app: FastifyInstance, measure: (lateMs: number) => void): void {
  let dueMs = performance.now() + MEASURE_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    measure(now - dueMs);
    dueMs = now + MEASURE_EVERY_MS;
  }, MEASURE_EVERY_MS).unref();
  app.addHook('onClose', () => clearInterval(timer));
}

function kindOf(request: FastifyRequest, caller: Caller): Kind {
  if (caller.kind === 'public') return 'public';
  if (BATCH.test(request.routeOptions.url ?? '')) return 'batch';
  return caller.plan === 'free' ? 'free' : 'paid';
}
