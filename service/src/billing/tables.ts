import { bigint, integer, key, type Rows, table, text } from '../kernel/db/table.ts';
import type { Plan } from '../workspaces/index.ts';

/** The tables of billing. */
export const BILLING_TABLES = {
  /** A subscription that pays for a workspace: see `billing/`. One that ended stays. */
  workspace_billing: table(
    {
      subscription_id: key().primary(),
      workspace_id: key().belongsTo('workspaces'),
      customer_id: text(),
      plan: text<Plan>(),
      status: text(),
      updated_at: bigint(),
      /** The number of times that its state was stored. */
      revision: integer(),
    },
    { indexes: { workspace_billing_by_workspace: '(workspace_id)' } },
  ),
};

export type BillingTables = Rows<typeof BILLING_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends BillingTables {}
}
