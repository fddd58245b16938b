import type { Conversions } from '../kernel/db/index.ts';

/** Subscriptions: programs up to 22 November 2026 kept no revision of them. */
export const BILLING_CONVERSIONS: Conversions = {
  workspace_billing: async (row) => [{ table: 'workspace_billing', row: { revision: 0, ...row } }],
};
