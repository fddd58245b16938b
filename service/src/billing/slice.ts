import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/clock.ts';
import type { Slice } from '../kernel/slice.ts';
import type { Billing } from './billing.ts';

/** Plans and prices. Without `billing`, nothing can be bought. */
export const billing: Slice<{ billing: Billing | undefined }, { billing: Billing | undefined }> = {
  name: 'billing',
  tables: async () => (await import('./tables.ts')).BILLING_TABLES,
  conversions: async () => (await import('./earlier-billing.ts')).BILLING_CONVERSIONS,
  privacy: async () => (await import('./privacy.ts')).privacy,
  routes: async (app, deps) => {
    if (deps.billing !== undefined) await (await import('./route.ts')).addWebhook(app, deps.billing);
  },
  schedules: async ({ billing: payments }) =>
    payments === undefined
      ? []
      : [
          {
            name: 'subscriptions',
            everyMs: MINUTE_MS,
            isHarmlessLate: true,
            run: (signal) => payments.endClosed(signal),
          },
          {
            name: 'stripe-events',
            everyMs: HOUR_MS,
            isHarmlessLate: true,
            run: (signal) => payments.readEvents(signal),
          },
          {
            name: 'stripe-subscriptions',
            everyMs: DAY_MS,
            isHarmlessLate: true,
            run: (signal) => payments.settleAll(signal),
          },
        ],
  pages: async (scope, deps) => (await import('./pages/plan.tsx')).addPlan(scope, deps),
  tabs: { portal: [{ path: '/plan', label: 'Plan', place: 41 }] },
};
