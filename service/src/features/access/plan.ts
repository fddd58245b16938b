import type { Selectable } from 'kysely';

import type { PlanLimits } from '../../platform/config/config.ts';
import type { Schema } from '../../platform/db/index.ts';
import { monthOf } from '../../platform/db/month.ts';
import type { Subscriber } from './caller.ts';
import type { Workspace } from './workspaces.ts';

/** Decodes that the test keys of a workspace may make in a month, where its limit is not lower. */
const TEST_LIMIT = 1_000;

/** The columns of a workspace that its limit follows from. */
export type LimitColumns = Pick<
  Selectable<Schema['workspaces']>,
  'plan' | 'limit_mode' | 'monthly_limit' | 'allowance_spent' | 'allowance_spent_in'
>;

/**
 * A workspace's limit in the month of a moment: its own where it has one, else its plan's. What its founder had spent of
 * the free allowance in that month, in other workspaces, is taken off: the allowance is the person's.
 */
export function limitOf(workspace: LimitColumns, planLimits: PlanLimits, atMs: number): number | null {
  // A workspace of its own limit has a number exactly when the mode is `fixed`: the table's check sees to that.
  if (workspace.limit_mode !== 'plan') return workspace.monthly_limit;
  const limit = planLimits[workspace.plan];
  const isSpent = workspace.plan === 'free' && workspace.allowance_spent_in === monthOf(atMs).startMs;
  return limit === null || !isSpent ? limit : Math.max(0, limit - workspace.allowance_spent);
}

/** The workspace as the caller behind one of its test keys. */
export function asTest(caller: Subscriber): Subscriber {
  return { ...caller, isTest: true, limit: Math.min(caller.limit ?? TEST_LIMIT, TEST_LIMIT) };
}

/** The same of a workspace that was read. */
export function workspaceLimit(
  { plan, limit, allowance }: Pick<Workspace, 'plan' | 'limit' | 'allowance'>,
  planLimits: PlanLimits,
  atMs: number,
): number | null {
  const columns = {
    plan,
    limit_mode: limit.kind,
    monthly_limit: limit.kind === 'fixed' ? limit.limit : null,
    allowance_spent: allowance.decodes,
    allowance_spent_in: allowance.monthStartMs,
  };
  return limitOf(columns, planLimits, atMs);
}
