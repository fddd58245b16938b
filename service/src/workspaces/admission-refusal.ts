import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { isApi } from '../kernel/http/browser-safety.ts';
import { busyError, RETRY_AFTER_SECONDS, textOf } from '../kernel/http/errors.ts';
import type { Kind } from './admission-queue.ts';

/** Built once: shedding must cost little, or it takes time from the requests that are admitted. */
const REFUSAL = JSON.stringify({ error: textOf(503) });
const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SECONDS),
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(REFUSAL)),
};

/** The same for browsers. */
const TEXT = textOf(503);
const TEXT_HEADERS = {
  'retry-after': String(RETRY_AFTER_SECONDS),
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
  'content-length': String(Buffer.byteLength(TEXT)),
};

const MCP = /^\/mcp\/?(?:\?|$)/;

/** The interval at which the log reports the number of shed requests, in milliseconds. */
const LOG_EVERY_MS = 1_000;

/** A request and its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Lets a request go on, or ends it with an error. */
export type GoOn = (error?: Error) => void;

/** An exchange that is pending. */
export interface Pending extends Exchange {
  kind: Kind;
  /** Undefined: it was not served yet. */
  goOn?: GoOn;
  /** Says that its body no longer waits. */
  release?: () => void;
}

/** Options of `refusalSender`. */
export interface RefusalOptions {
  /** Added to every refusal: of the API, and of everything else. */
  headers: { api: Record<string, string>; other: Record<string, string> };
  /** Called for each request that is shed. */
  onShed?: ((kind: Kind) => void) | undefined;
}

/** Returns true if a request is a message to an assistant's tools. */
export function isMcp(url: string): boolean {
  return MCP.test(url);
}

/** Returns a function that answers a shed request with 503, and counts it in the log. */
export function refusalSender(app: FastifyInstance, { headers, onShed }: RefusalOptions): (exchange: Pending) => void {
  const log = shedLog(app);
  const ofApi = Object.entries({ ...headers.api, ...REFUSAL_HEADERS }).flat();
  const ofMcp = Object.entries({ ...headers.other, ...REFUSAL_HEADERS }).flat();
  const ofOthers = Object.entries({ ...headers.other, ...TEXT_HEADERS }).flat();
  return ({ request, response, kind, goOn }) => {
    log();
    onShed?.(kind === 'paid-batch' ? 'batch' : kind);
    const { url = '' } = request;
    if (goOn !== undefined) goOn(busyError());
    else if (isApi(url) || isMcp(url)) response.writeHead(503, isApi(url) ? ofApi : ofMcp).end(REFUSAL);
    else response.writeHead(503, ofOthers).end(TEXT);
  };
}

/** Logs how many requests were shed in a second, in one line. */
function shedLog(app: FastifyInstance): () => void {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    app.log.warn({ count }, 'requests shed: more than can be served');
    count = 0;
    timer = undefined;
  };
  app.addHook('onClose', () => clearTimeout(timer));
  return () => {
    count += 1;
    timer ??= setTimeout(write, LOG_EVERY_MS).unref();
  };
}
