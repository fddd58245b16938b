import type { FastifyInstance } from 'fastify';

/** The state of stopping the service. One object, because the signal comes before the service starts to close. */
export interface Stopping {
  begun: boolean;
}

/**
 * Connections that are still open this long after the close began are cut: their peers do not take their answers, or
 * send requests slowly. Well within the 25 seconds after which the process ends by force, so that all charges are
 * written in order.
 */
const CUT_AFTER_MS = 12_000;

/**
 * Lets a closing service end soon: a connection whose request is answered after the close began would else stay open
 * for the whole keep-alive time, and the service with it.
 */
export function drainConnections(app: FastifyInstance, stopping: Stopping, cutAfterMs = CUT_AFTER_MS): void {
  let closing = false;
  app.addHook('preClose', async () => {
    stopping.begun = true;
    closing = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), cutAfterMs);
    app.server.once('close', () => clearTimeout(cut));
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
