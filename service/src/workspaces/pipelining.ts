import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { isApi } from '../kernel/http/browser-safety.ts';
import { onceOver } from '../kernel/http/exchanges.ts';
import { readNoMore } from '../kernel/http/read-no-more.ts';
import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import type { NetworkOf } from './address.ts';
import type { Plan } from './plan.ts';

/** Bounds of pipelining. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Requests of one connection that may be in progress. Clients that pipeline at all rarely send more. */
  perConnection: 8,
  /** Pipelined requests that may be in progress in this process: of paid plans, and of all others. */
  perProcess: 500,
  /** The limit at which each network may pipeline requests without a key of a paid plan. */
  perClient: { burst: 200, refillMs: 50 },
};

/** Bounds of pipelining. Tests set their own. */
export type PipeliningBounds = Readonly<typeof BOUNDS>;

/** Options of `boundPipelining`. */
interface PipeliningOptions {
  /** The plan of a cached key. */
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined;
  networkOf: NetworkOf;
  /** Added to every refusal: of the API, and of everything else. */
  headers: { api: Record<string, string>; other: Record<string, string> };
  bounds?: Partial<PipeliningBounds>;
  /** Milliseconds of a clock that never jumps. */
  now?: () => number;
}

/** A connection: how many of its requests are in progress, and whether one has been refused. */
interface Connection {
  inProgress: number;
  isRefused: boolean;
}

const REFUSAL = JSON.stringify({
  error: `Too many requests were sent on this connection without waiting for answers. Send at most ${BOUNDS.perConnection}, or one at a time.`,
});
const REFUSAL_HEADERS = {
  'retry-after': '1',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(REFUSAL)),
  connection: 'close',
};

/**
 * Limits pipelining: requests that are sent on a connection before the previous one is answered. A single packet
 * contains thousands of them, and they would all be parsed, queued and answered before anyone else's.
 *
 * A request beyond a limit is answered 429 after the ones before it, and ends the connection. Nothing more is read from
 * it, so an attacker pays a connection for every few requests.
 */
export function boundPipelining(app: FastifyInstance, options: PipeliningOptions): void {
  const [handle] = app.server.listeners('request');
  if (handle === undefined) throw new Error('The server handles no requests yet.');
  const refusal = {
    api: Object.entries({ ...options.headers.api, ...REFUSAL_HEADERS }).flat(),
    other: Object.entries({ ...options.headers.other, ...REFUSAL_HEADERS }).flat(),
  };
  const connections = new WeakMap<Socket, Connection>();
  const mayPipeline = pipeliningLimit(options);
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { inProgress: 0, isRefused: false };
    connections.set(socket, connection);
    if (connection.isRefused) return;
    if (connection.inProgress > 0 && !mayPipeline(request, response, connection.inProgress)) {
      connection.isRefused = true;
      readNoMore(socket);
      response.writeHead(429, isApi(request.url ?? '') ? refusal.api : refusal.other).end(REFUSAL);
      return;
    }
    connection.inProgress += 1;
    onceOver({ request, response }, () => (connection.inProgress -= 1));
    handle.call(app.server, request, response);
  });
}

/** Decides whether one more request may be pipelined, and counts it. */
function pipeliningLimit({ planOf, networkOf, bounds, now = () => performance.now() }: PipeliningOptions) {
  const { perConnection, perProcess, perClient } = { ...BOUNDS, ...bounds };
  const allowance = new TokenBuckets(perClient);
  const pipelined = { paid: 0, other: 0 };
  return (request: IncomingMessage, response: ServerResponse, inProgress: number): boolean => {
    if (inProgress >= perConnection) return false;
    const plan = planOf(request.headers);
    const kind = plan === undefined || plan === 'free' ? 'other' : 'paid';
    if (pipelined[kind] >= perProcess) return false;
    if (kind === 'other' && allowance.take(networkOf(request), now()) > 0) return false;
    pipelined[kind] += 1;
    onceOver({ request, response }, () => (pipelined[kind] -= 1));
    return true;
  };
}
