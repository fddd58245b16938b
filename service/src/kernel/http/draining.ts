import type { FastifyInstance } from 'fastify';

/** Whether the service is stopping. One object, because the signal comes before the service starts to close. */
export interface Stopping {
  begun: boolean;
}

/**
 * Lets a closing service end soon: a connection whose request is answered after the close began would else stay open
 * for the whole keep-alive time, and the service with it.
 */
export function drainConnections(app: FastifyInstance, stopping: Stopping): void {
  let closing = false;
  app.addHook('preClose', async () => {
    stopping.begun = true;
    closing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.begun) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    // Not while it only drains: a balancer that has not noticed yet may be sending into an idle connection.
    // An answer on its way when the close began could not say so any more; its connection turns idle just after this.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}
