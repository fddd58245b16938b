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
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    // An answer on its way when the close began could not say so any more; its connection turns idle just after this.
    if (stopping) setImmediate(() => app.server.closeIdleConnections());
  });
  return () => stopping;
}
