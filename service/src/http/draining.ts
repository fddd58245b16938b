import type { FastifyInstance } from 'fastify';

/**
 * Lets a closing service end soon: a connection whose request is answered after the close began would else stay open
 * for the whole keep-alive time, and the service with it.
 *
 * @returns whether the service is stopping.
 */
export function drainConnections(app: FastifyInstance): () => boolean {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    // An answer on its way when the close began could not say so any more; its connection turns idle just after this.
    if (stopping) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  return () => stopping;
}
