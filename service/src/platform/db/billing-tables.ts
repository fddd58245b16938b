import type { Plan } from './plans.ts';

/** A subscription that pays for a workspace: see `billing/`. One that ended stays. */
interface WorkspaceBillingTable {
  subscription_id: string;
  workspace_id: string;
  customer_id: string;
  plan: Plan;
  status: string;
  updated_at: number;
}

/** The tables of billing. */
export interface BillingTables {
  workspace_billing: WorkspaceBillingTable;
}
