import type { FastifyInstance, FastifyRequest } from 'fastify';

const NONE = {};

/**
 * One line for each answered request: method, route, status and time. The route's pattern replaces the URL, and no
 * header or body is logged: URLs hold VINs, and headers keys.
 *
 * @param fieldsOf what else the line says.
 */
export function logRequests(app: FastifyInstance, fieldsOf: (request: FastifyRequest) => object = () => NONE): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      ...fieldsOf(request),
    };
    // Only a route with its own level needs its request's log, which is created then.
    if (request.routeOptions.logLevel) request.log.info(line, 'answered');
    else app.log.info({ reqId: request.id, ...line }, 'answered');
    done();
  });
}
