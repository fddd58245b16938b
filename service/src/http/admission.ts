import { finished } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Caller } from '../access/index.ts';
import { RETRY_AFTER_SECONDS, textOf } from './errors.ts';
import { Room } from './room.ts';

/** Kinds of requests, in the order in which they are turned away when there are too many. */
type Kind = 'public' | 'batch' | 'free' | 'paid';

/** Requests of callers that may be under way at once: about half a second's worth on one core. */
const MOST_UNDER_WAY = 4_000;

/** How much of the room each kind may fill: what is above is kept for the kinds behind it. */
const SHARE: Readonly<Record<Kind, number>> = { public: 0.4, batch: 0.6, free: 0.8, paid: 1 };

/** How often it is looked whether the process keeps up, milliseconds. */
const LOOK_EVERY_MS = 50;

/** Made once: turning away must cost little, or it takes the time of those who are let in. */
const REFUSAL = JSON.stringify({ error: textOf(503) });

/**
 * Turns requests of callers away while too many are under way: those without a key first, then batches, then the plan
 * free, then all. They are turned away before their body is read, and count from when it is there, so that a slow sender
 * takes nobody's place. Health, pages and sign-in know no caller here and are always let in.
 */
export function admitInOrder(app: FastifyInstance, mostUnderWay = MOST_UNDER_WAY): void {
  const room = new Room(mostUnderWay);
  let underWay = 0;
  lookOften(app, (lateMs) => room.look(lateMs, underWay));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.caller === null || underWay < room.size * SHARE[kindOf(request, request.caller)]) done();
    else turnAway(reply);
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

function turnAway(reply: FastifyReply): void {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS), 'content-type': 'application/json; charset=utf-8' };
  reply.code(503).headers(headers).serializer(String).send(REFUSAL);
}

/** Tells again and again how late the event loop is, until the app closes. */
function lookOften(app: FastifyInstance, look: (lateMs: number) => void): void {
  let dueMs = performance.now() + LOOK_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    look(now - dueMs);
    dueMs = now + LOOK_EVERY_MS;
  }, LOOK_EVERY_MS).unref();
  app.addHook('onClose', () => clearInterval(timer));
}

function kindOf(request: FastifyRequest, caller: Caller): Kind {
  if (caller.kind === 'public') return 'public';
  if (/batch$/i.test(request.routeOptions.url ?? '')) return 'batch';
  return caller.plan === 'free' ? 'free' : 'paid';
}
