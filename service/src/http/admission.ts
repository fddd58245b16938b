import { finished } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Caller } from '../access/index.ts';
import { RETRY_AFTER_SECONDS, textOf } from './errors.ts';
import { HttpRefusal } from './http-refusal.ts';

/** Kinds of requests, in the order in which they are turned away when there are too many. */
type Kind = 'public' | 'batch' | 'free' | 'paid';

/** Requests of callers that may be under way at once: about half a second's worth on one core. */
const MOST_UNDER_WAY = 4_000;

/** How much of that each kind may fill: what is above is kept for the kinds behind it. */
const SHARE: Readonly<Record<Kind, number>> = { public: 0.4, batch: 0.6, free: 0.8, paid: 1 };

/**
 * Turns requests of callers away while too many are under way: those without a key first, then batches, then the plan
 * free, then all. They count from when their body is there, so that a slow sender takes nobody's place. Health, pages
 * and sign-in know no caller here and are always let in.
 */
export function admitInOrder(app: FastifyInstance, mostUnderWay = MOST_UNDER_WAY): void {
  let underWay = 0;
  app.addHook('preValidation', async (request, reply) => {
    if (request.caller === null) return;
    if (underWay >= mostUnderWay * SHARE[kindOf(request, request.caller)]) {
      throw new HttpRefusal(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
    }
    underWay += 1;
    // Not the hook onResponse: it does not run when the client has gone before its answer.
    finished(reply.raw, () => {
      underWay -= 1;
    });
  });
}

function kindOf(request: FastifyRequest, caller: Caller): Kind {
  if (caller.kind === 'public') return 'public';
  if (/batch$/i.test(request.routeOptions.url ?? '')) return 'batch';
  return caller.plan === 'free' ? 'free' : 'paid';
}
