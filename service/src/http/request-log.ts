import type { FastifyInstance } from 'fastify';

/**
 * One line for each answered request: method, route, status and time. The route's pattern stands for the URL and no
 * header or body is logged: VINs stand in URLs, and keys in headers.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      'answered',
    );
  });
}
