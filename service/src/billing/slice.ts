import type { Slice } from '../kernel/slice.ts';
import type { PageKit } from '../kernel/ui/page-kit.ts';
import type { Billing } from './billing.ts';

/** What the page of a plan needs. */
export interface BillingPageDeps extends PageKit {
  /** Undefined: billing is not configured. */
  billing: Billing | undefined;
}

/** Plans and prices. */
export const billing: Slice<Pick<BillingPageDeps, 'billing'>, BillingPageDeps> = {
  name: 'billing',
  tables: async () => (await import('./tables.ts')).BILLING_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  routes: async (app, deps) => {
    if (deps.billing !== undefined) await (await import('./billing.ts')).addWebhook(app, deps.billing);
  },
  pages: async (scope, deps) => (await import('./pages/plan.tsx')).addPlan(scope, deps),
  tabs: { portal: [{ path: '/plan', label: 'Plan', place: 90 }] },
};
