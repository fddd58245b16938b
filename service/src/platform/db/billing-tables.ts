import type { Plan } from './plans.ts';

/** What a workspace pays for: see `billing/`. */
interface WorkspaceBillingTable {
  workspace_id: string;
  customer_id: string;
  subscription_id: string;
  plan: Plan;
  status: string;
  updated_at: number;
}

/** The tables of billing. */
export interface BillingTables {
  workspace_billing: WorkspaceBillingTable;
}
