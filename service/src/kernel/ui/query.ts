import type { FastifyInstance } from 'fastify';

import { HttpError } from '../http/http-error.ts';

/**
 * Refuses addresses that name a parameter twice: it would arrive as a list, where pages expect a text. Routes of the API
 * have schemas that say so.
 */
export function refuseRepeatedParameters(scope: FastifyInstance): void {
  scope.addHook<{ Querystring: Record<string, unknown> }>('preValidation', (request, _reply, done) => {
    const repeated = Object.values(request.query).some((value) => typeof value !== 'string');
    done(repeated ? new HttpError(400, 'The address names a parameter twice.') : undefined);
  });
}
