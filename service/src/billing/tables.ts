import type { Plan } from '../kernel/db/plans.ts';

/** The tables of billing. */
export interface BillingTables {
  /** A subscription that pays for a workspace: see `billing/`. One that ended stays. */
  workspace_billing: {
    subscription_id: string;
    workspace_id: string;
    customer_id: string;
    plan: Plan;
    status: string;
    updated_at: number;
    /** How often its state was stored. */
    revision: number;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends BillingTables {}
}
