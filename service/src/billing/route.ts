import type { FastifyInstance } from 'fastify';

import { HttpError } from '../kernel/http/http-error.ts';
import type { Billing } from './billing.ts';

/** Adds `POST /billing/stripe`, Stripe's webhook. The body is kept as sent, because it is signed. */
export async function addWebhook(app: FastifyInstance, billing: Billing): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: 1_048_576 },
      (_request, body, done) => done(null, body),
    );
    scope.post('/billing/stripe', { schema: { hide: true } }, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (!Buffer.isBuffer(request.body) || typeof signature !== 'string') {
        throw new HttpError(400, 'This is not an event from Stripe.');
      }
      if ((await billing.handleEvent(request.body, signature)) === 'forged') {
        throw new HttpError(400, 'The signature is wrong.');
      }
      return reply.send({ received: true });
    });
  });
}
