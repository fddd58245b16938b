import type { FastifyBaseLogger } from 'fastify';

import { systemClock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import type { Mailer } from './mailer.ts';
import { deliverMail } from './outbox.ts';

/** How soon a letter leaves, whoever wrote it. */
const LOOK_MS = 5_000;

/**
 * Sends waiting letters, now and for as long as the service runs. A failure is logged, without the address, and tried again.
 *
 * @returns a function that ends it, after what is under way.
 */
export function startPost(database: Database, mailer: Mailer, log: FastifyBaseLogger): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      const { sent, faults } = await deliverMail(database, mailer, systemClock());
      if (sent > 0) log.info({ sent }, 'mail sent');
      for (const { id, givenUp, error } of faults) log.warn({ err: error, mail: id, givenUp }, 'mail not sent');
    } catch (error) {
      log.warn({ err: error }, 'outbox not read');
    }
  };
  const lookAlone = (): void => {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
  };
  lookAlone();
  const timer = setInterval(lookAlone, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    await underWay;
    mailer.close();
  };
}
