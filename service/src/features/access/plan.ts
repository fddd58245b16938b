import type { PlanLimits } from '../../platform/config/config.ts';
import type { LimitMode, Plan } from '../../platform/db/index.ts';

/** A workspace's limit: its own where it has one, else its plan's. */
export function limitOf(
  workspace: { plan: Plan; limit_mode: LimitMode; monthly_limit: number | null },
  planLimits: PlanLimits,
): number | null {
  // A workspace of its own limit has a number exactly when the mode is `fixed`: the table's check sees to that.
  return workspace.limit_mode === 'plan' ? planLimits[workspace.plan] : workspace.monthly_limit;
}
