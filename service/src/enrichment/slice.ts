import type { Slice } from '../kernel/slice.ts';
import type { Enrichment } from './enrichment.ts';

/** Looks up vehicles that are not in the catalog. Without a source, only what an earlier one said has to expire. */
export const enrichment: Slice<object, { enrichment: Enrichment | undefined }> = {
  name: 'enrichment',
  tables: async () => (await import('./tables.ts')).ENRICHMENT_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  workers: async ({ enrichment: queue }) => (queue === undefined ? {} : { enrichment: queue }),
  schedules: async ({ enrichment: queue }) => queue?.schedules() ?? [],
  retention: async (database, { nowMs, signal }) =>
    (await import('./queue/ask.ts')).tidy(database, nowMs, undefined, signal),
  queues: {
    enrichment: 'SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM enrichment_jobs',
  },
};
