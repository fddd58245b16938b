import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import { RETRY_AFTER_SECONDS } from './errors.ts';
import { errorAnswers } from './schemas.ts';

/** Milliseconds that a readiness question may take: probes commonly wait one second. */
const READY_WITHIN_MS = 900;

const Status = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { description: 'The process answers.' });

/**
 * Adds `/healthz` (the process answers) and `/readyz` (it can take traffic, until it begins to stop).
 *
 * @param fault what keeps it from decoding, in a sentence for an operator; undefined if it can.
 * @param isStopping whether the service is stopping.
 */
export function reportHealth(
  app: FastifyInstance,
  fault: () => Promise<string | undefined>,
  isStopping: () => boolean,
): void {
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
      const error = isStopping() ? 'The service is stopping.' : await within(READY_WITHIN_MS, fault);
      if (error === undefined) return { status: 'ready' };
      return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ error });
    },
  );
}

/** The text of `/readyz` when the database cannot be used. */
export const SILENT = 'The database does not answer.';

/** The text of `/readyz` when the database answers, and stores nothing. */
export const UNWRITABLE =
  'The database cannot store anything: its disk is full or fails, or its files were moved. The log says which.';

async function within(milliseconds: number, question: () => Promise<string | undefined>): Promise<string | undefined> {
  const { promise: timeUp, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, milliseconds, SILENT);
  try {
    return await Promise.race([question().catch(() => SILENT), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
