import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import { RETRY_AFTER_SECONDS } from './errors.ts';
import { errorAnswers } from './schemas.ts';

/** Milliseconds that a readiness question may take: probes commonly wait one second. */
const READY_WITHIN_MS = 900;

const Status = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { description: 'The process answers.' });

/**
 * `/healthz`: the process answers. `/readyz`: it can take traffic, which ends as soon as it begins to stop.
 *
 * @param isReady whether everything that a decode needs answers.
 * @param isStopping whether the service is stopping.
 */
export function reportHealth(app: FastifyInstance, isReady: () => Promise<boolean>, isStopping: () => boolean): void {
  const tags = ['operation'];
  // Probes come every few seconds; they would bury the log.
  const logLevel = 'warn';

  app.get(
    '/healthz',
    {
      logLevel,
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Check that the process is alive.',
        description: 'Does not query the database. If this fails, restart the service.',
        response: { 200: Status },
      },
    },
    () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      logLevel,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check that the service can take traffic.',
        description: 'Queries the database. While this fails, send no traffic here.',
        response: { 200: Status, ...errorAnswers({ 503: 'Not ready, or shutting down.' }) },
      },
    },
    async (_request, reply) => {
      if (!isStopping() && (await within(READY_WITHIN_MS, isReady))) return { status: 'ready' };
      const error = isStopping() ? 'The service is stopping.' : 'The database does not answer.';
      return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ error });
    },
  );
}

async function within(milliseconds: number, question: () => Promise<boolean>): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([question().catch(() => false), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
