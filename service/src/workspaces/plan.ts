import type { Tenant } from '../kernel/limits/slots.ts';

/** The four plans, least first. */
export const PLANS = ['free', 'starter', 'business', 'enterprise'] as const;

export type Plan = (typeof PLANS)[number];

/** Charged requests a month for each plan; null: no limit. */
export type PlanLimits = Readonly<Record<Plan, number | null>>;

/** Returns the tenant that a workspace is: a paid plan may use the reserved slots. */
export function tenantOf({ workspaceId, plan }: { workspaceId: string; plan: Plan }): Tenant {
  return { id: workspaceId, isPaid: plan !== 'free' };
}
