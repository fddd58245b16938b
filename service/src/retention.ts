import type { FastifyBaseLogger } from 'fastify';

import { removeOldAccountData } from './people/retention.ts';
import { removeOldFiles } from './files/retention.ts';
import { prune } from './metering/index.ts';
import { removeOldDeliveries } from './webhooks/index.ts';
import { DAY_MS, systemClock } from './kernel/clock.ts';
import type { Database } from './kernel/db/index.ts';
import type { Schedule } from './kernel/jobs/index.ts';

/** Removes what is older than it may be, once a day. */
export function retention(database: Database, retentionDays: number, log: Pick<FastifyBaseLogger, 'info'>): Schedule {
  return {
    name: 'retention',
    everyMs: DAY_MS,
    run: async () => {
      const nowMs = systemClock();
      const removed = await prune(database, nowMs, retentionDays);
      const files = await removeOldFiles(database, nowMs, retentionDays);
      const deliveries = await removeOldDeliveries(database, nowMs, retentionDays);
      await removeOldAccountData(database, nowMs);
      log.info({ removed, files, deliveries }, 'old data removed');
    },
  };
}
