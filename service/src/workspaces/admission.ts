import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AdmissionController, type ControllerOptions, type Sender } from './admission-controller.ts';
import { type Exchange, type RefusalOptions, refusalSender } from './admission-refusal.ts';
import { isPaid } from './admission-sort.ts';

/** Health checks, served before everything else, so that monitoring is never shut out. They get a share of each turn. */
const HEALTH = /^\/(?:healthz|readyz)\/?(?:\?|$)/;

/** Pages of the same rank, so that operators are never shut out. Each takes longer than a health check: one a turn. */
const SIGN_IN = /^\/sign-in(?:\/code)?\/?(?:\?|$)/;

/** Options of `shedLoad`. */
type AdmissionOptions = RefusalOptions & ControllerOptions;

/**
 * Serves requests by priority when there are more than can be served: paid plans first, then the free plan, each with
 * its batches last, requests without a key, and pages; of each of these, workspaces and networks in turn. Requests that
 * have waited too long are shed.
 *
 * The event loop is the bottleneck: each turn serves requests for a few milliseconds only, so that connections are
 * accepted and their requests read before deciding which to serve. Health checks and sign-in belong to none of these
 * kinds and are never shed.
 */
export function shedLoad(app: FastifyInstance, options: AdmissionOptions): void {
  const [handle] = app.server.listeners('request');
  if (handle === undefined) throw new Error('The server handles no requests yet.');
  const serve = ({ request, response }: Exchange): void => {
    handle.call(app.server, request, response);
  };
  const admission = new AdmissionController(serve, refusalSender(app, options), options);
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method } = request;
    if (HEALTH.test(url) && method !== 'POST') admission.admitHealth({ request, response });
    else if (SIGN_IN.test(url)) admission.admitSignIn({ request, response });
    else admission.admit({ request, response });
  });
  app.server.on('connection', () => admission.connected());
  const ends = new WeakMap<FastifyReply, () => void>();
  // Bodies may end together: each is read in its turn.
  app.decorateRequest('awaitTurn', function awaitTurn(this: FastifyRequest, bodyLength, goOn) {
    admission.arrived(this.raw, { ...senderOf(this), bodyLength }, goOn);
  });
  // Counted once the body has arrived, so that slow senders take no capacity, until an answer is made or its stream has
  // ended, so that slow readers of others take none.
  app.addHook('preValidation', (request, reply, done) => {
    const sender = senderOf(request);
    admission.arrived(request.raw, sender, (error) => {
      const isCounted = error === undefined && sender.isCounted && !reply.raw.destroyed;
      const exchange = { request: request.raw, response: reply.raw };
      if (isCounted) ends.set(reply, admission.begin(exchange, isPaid(sender.workspace?.plan)));
      done(error);
    });
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!(payload instanceof Readable)) ends.get(reply)?.();
    done(null, payload);
  });
}

function senderOf({ caller }: FastifyRequest): Sender {
  const isSubscriber = caller?.kind === 'subscriber';
  return {
    workspace: isSubscriber ? { id: caller.workspaceId, plan: caller.plan } : undefined,
    isCounted: caller !== null,
  };
}
