import type { ActDeps } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';
import type { addUsage } from './route.ts';

/** Usage: charging, the ledger, and the pages that show it. */
export const metering: Slice<Parameters<typeof addUsage>[1], ActDeps & { config: Config }> = {
  name: 'metering',
  tables: async () => (await import('./tables.ts')).USAGE_TABLES,
  monthlyTables: ['decodes'],
  conversions: async () => (await import('./earlier-records.ts')).RECORD_CONVERSIONS,
  privacy: async () => (await import('./privacy.ts')).privacy,
  routines: async () => [(await import('./charge.ts')).chargeRoutine()],
  routes: async (app, deps) => (await import('./route.ts')).addUsage(app, deps),
  pages: async (scope, deps) => (await import('./pages/usage.tsx')).addUsage(scope, deps),
  schedules: async (deps) =>
    deps.config.smtpUrl === undefined ? [] : [(await import('./alerts.ts')).usageAlerts(deps)],
  tabs: { portal: [{ path: '', label: 'Usage', place: 10 }] },
  retention: async (database, { nowMs, decodeDays, signal }) =>
    (await import('./prune.ts')).prune(database, nowMs, decodeDays, signal),
};
