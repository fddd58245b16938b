import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Access } from './identify.ts';
import type { Caller, Subscriber } from './caller.ts';
import type { Refusal } from './caller.ts';
import type { Identity } from './identify.ts';
import { brandHeaders } from '../kernel/http/browser-safety.ts';
import { HttpError } from '../kernel/http/http-error.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Marque"' };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`; null on routes without authentication. */
    caller: Caller | null;
    /** The key that the request carried, if it was refused for it; null: it was not. */
    refusedKey: Pick<Refusal, 'reason' | 'key'> | null;
    /** When `authenticate` identified the caller, in milliseconds of `performance.now()`. */
    identifiedAtMs: number;
  }
}

/** Decorates requests with their caller, whom every answer names once identified, refusals included. */
export function decorateCaller(app: FastifyInstance, headerBrand: string): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('refusedKey', null);
  app.decorateRequest('identifiedAtMs', 0);
  const { auth, client } = brandHeaders(headerBrand.toLowerCase());
  app.addHook('onSend', ({ caller }, reply, _payload, done) => {
    if (caller !== null) reply.header(auth, caller.kind);
    if (caller?.kind === 'subscriber') reply.header(client, caller.slug);
    done();
  });
}

/**
 * Returns a hook that identifies the caller before the body is read: with an invalid key, nothing is revealed about the
 * body. Every invalid key gets a 401 with the same message. The hook is synchronous if the key is in the cache:
 * returning a promise would cost each request more than the look-up in the cache.
 */
export function authenticate(access: Pick<Access, 'identify'>): onRequestHookHandler {
  return (request, _reply, proceed) => {
    const identity = access.identify({ headers: request.headers, address: request.socket.remoteAddress });
    if (identity instanceof Promise) identity.then((known) => proceed(admit(request, known)), proceed);
    else proceed(admit(request, identity));
  };
}

/** Milliseconds after which a key is looked at again when the body has arrived. */
const LATE_MS = 1_000;

/** Refuses requests whose key was revoked, or whose workspace was closed, while their body was on its way. */
export function refuseEndedKeys(app: FastifyInstance, access: Pick<Access, 'refusalOf'>, lateMs = LATE_MS): void {
  app.addHook('preValidation', (request, _reply, proceed) => {
    const { caller, identifiedAtMs } = request;
    if (caller?.kind !== 'subscriber' || performance.now() - identifiedAtMs < lateMs) proceed();
    else recheckKey(access, request).then(() => proceed(), proceed);
  });
}

/**
 * Looks again at the key of a request that has waited.
 * @throws HttpError 401 if it was revoked or its workspace was closed meanwhile.
 */
export async function recheckKey(access: Pick<Access, 'refusalOf'>, request: FastifyRequest): Promise<void> {
  const refusal = await access.refusalOf({ headers: request.headers, address: request.socket.remoteAddress });
  if (refusal !== undefined) throw refused(request, refusal);
}

function refused(request: FastifyRequest, refusal: Refusal): HttpError {
  request.refusedKey = refusal;
  request.log.info({ reason: refusal.reason }, 'key refused');
  return new HttpError(401, 'The API key is invalid or inactive.', CHALLENGE);
}

/** Sets the caller of a request. @returns the error to answer with, if it is refused. */
function admit(request: FastifyRequest, identity: Identity): HttpError | undefined {
  if (identity.kind === 'rate-limited') {
    request.caller = identity.caller;
    return new HttpError(429, 'A test key may send one request per second. Slow down, or use a live key.', {
      'retry-after': String(identity.retryAfterSeconds),
    });
  }
  if (identity.kind === 'refused') return refused(request, identity);
  if (identity.kind === 'public' && hasMisplacedKey(request.headers)) {
    request.refusedKey = { reason: 'unknown' };
    const where = 'Send the API key in the header x-api-key, or as Authorization: Bearer followed by the key.';
    return new HttpError(401, where, CHALLENGE);
  }
  request.caller = identity;
  request.identifiedAtMs = performance.now();
  return undefined;
}

/** Returns the caller of a request behind `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('The route does not ask who calls.');
  return request.caller;
}

/**
 * Returns the caller of a request that needs a key.
 * @throws HttpError 401 that names the reason why a key is needed.
 */
export function subscriberOf(request: FastifyRequest, need: string): Subscriber {
  const caller = callerOf(request);
  if (caller.kind === 'public') throw new HttpError(401, need, CHALLENGE);
  return caller;
}

/**
 * Returns true if a request without a key in the right place has one in another. It is meant to be a subscriber's:
 * answering it as public would hide the mistake and use up the public limit of its address.
 */
function hasMisplacedKey(headers: IncomingHttpHeaders): boolean {
  if (headers.authorization !== undefined) return true;
  return Object.values(headers).some((value) => /(?:^|[\s"=])mq_(?:live|test)_/.test(String(value)));
}
