import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Caller } from './index.ts';
import { isApi } from '../../platform/http/browser-safety.ts';
import { RETRY_AFTER_SECONDS, textOf } from '../../platform/http/errors.ts';

/** Kinds of requests, in the order in which they are shed when there are too many. */
type Kind = 'public' | 'batch' | 'free' | 'paid';

/** Requests of callers that may be under way at once: about half a second's worth on one core. */
const MOST_UNDER_WAY = 4_000;

/** The share of the limit that each kind may use; the rest is reserved for the kinds after it. */
const SHARE: Readonly<Record<Kind, number>> = { public: 0.4, batch: 0.6, free: 0.8, paid: 1 };

/** Built once: shedding must cost little, or it takes time from the requests that are admitted. */
const REFUSAL = JSON.stringify({ error: textOf(503) });
const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SECONDS),
  'content-type': 'application/json; charset=utf-8',
};

/** The path of a batch, with any query. */
const BATCH = /batch\/?(?:\?|$)/i;

/**
 * How long the answer to a shed request is delayed: clients that retry at once would take the time of admitted requests,
 * and few respect `Retry-After`. See docs/decisions/overload.md.
 */
const HOLD_MS = 1_000;

/** Refusals that may be delayed at the same time; the others are sent at once. Each takes a few kilobytes. */
const MOST_HELD = 5_000;

/** How often the log says how many requests were shed. */
const LOG_EVERY_MS = 1_000;

/** Bounds of admission. */
export interface AdmissionBounds {
  /** Requests that may be under way at once. */
  most: number;
  /** How long a refusal is delayed. */
  holdMs: number;
}

/**
 * Sheds requests while too many are in progress: those without a key first, then batches, then the free plan, then all.
 * A request is shed before its body is read, and counts once its body has arrived, so that slow senders take no capacity.
 * Health checks, pages and sign-in are always admitted.
 *
 * @param headers added to every answer.
 */
export function shedLoad(
  app: FastifyInstance,
  headers: Record<string, string> = {},
  { most, holdMs }: AdmissionBounds = { most: MOST_UNDER_WAY, holdMs: HOLD_MS },
): void {
  const refuse = refuseLater(holdMs, shedLog(app));
  let underWay = 0;
  const isFull = (kind: Kind): boolean => underWay >= most * SHARE[kind];
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
    if (request.caller !== null && !reply.raw.destroyed) {
      underWay += 1;
      let isUnderWay = true;
      const end = (): void => {
        if (isUnderWay) underWay -= 1;
        isUnderWay = false;
      };
      // Not the hook onResponse: it does not run when the client has gone before its answer.
      reply.raw.on('finish', end).on('close', end);
    }
    done();
  });
}

/** Sheds what can be judged by its headers before Fastify handles it, so that a refusal costs as little as possible. */
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

/** Delays refusals. */
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

/** The kind of a request, as far as its path and headers tell. A preflight costs nothing. */
function kindByHeaders({ url = '', headers, method }: IncomingMessage): Kind | undefined {
  if (!isApi(url) || method === 'OPTIONS') return undefined;
  if (headers['x-api-key'] === undefined && headers.authorization === undefined) return 'public';
  return BATCH.test(url) ? 'batch' : undefined;
}

/** Logs how many requests were shed in a second, in one line. */
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

function kindOf(request: FastifyRequest, caller: Caller): Kind {
  if (caller.kind === 'public') return 'public';
  if (BATCH.test(request.routeOptions.url ?? '')) return 'batch';
  return caller.plan === 'free' ? 'free' : 'paid';
}
