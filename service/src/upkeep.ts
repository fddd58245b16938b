import type { FastifyBaseLogger } from 'fastify';

import { removeOldAccountData } from './features/accounts/upkeep.ts';
import { systemClock } from './platform/clock.ts';
import type { Database } from './platform/db/index.ts';
import { removeOldFiles } from './features/files/upkeep.ts';
import { upkeep } from './features/usage/index.ts';
import { removeOldDeliveries } from './features/webhooks/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what is older than it may be, now and once a day. A failure is logged and tried again the next day: it harms
 * nobody's request.
 *
 * @returns a function that ends it, after what is under way.
 */
export function startUpkeep(database: Database, retentionDays: number, log: FastifyBaseLogger): () => Promise<void> {
  const run = async (): Promise<void> => {
    try {
      const removed = await upkeep(database, systemClock(), retentionDays);
      const files = await removeOldFiles(database, systemClock(), retentionDays);
      const deliveries = await removeOldDeliveries(database, systemClock(), retentionDays);
      await removeOldAccountData(database, systemClock());
      log.info({ removed, files, deliveries }, 'upkeep done');
    } catch (error) {
      log.error({ err: error }, 'upkeep failed');
    }
  };
  let underWay = run();
  const timer = setInterval(() => {
    underWay = run();
  }, DAY_MS);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
