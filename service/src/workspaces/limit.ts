import { monthOf } from '../kernel/db/month.ts';
import type { Subscriber } from './caller.ts';
import type { PlanLimits } from './plan.ts';
import type { Workspace } from './workspaces.ts';

/** Decodes that the test keys of a workspace may make in a month, where its limit is not lower. */
const TEST_LIMIT = 1_000;

/**
 * Returns a workspace's limit in the month of a moment: its own where it has one, else its plan's. What its founder had
 * spent of the free allowance in that month, in other workspaces, is taken off: the allowance is the person's.
 */
export function limitOf(
  { plan, limit, allowance }: Pick<Workspace, 'plan' | 'limit' | 'allowance'>,
  planLimits: PlanLimits,
  atMs: number,
): number | null {
  if (limit.kind !== 'plan') return limit.kind === 'fixed' ? limit.limit : null;
  const most = planLimits[plan];
  const isSpent = plan === 'free' && allowance.monthStartMs === monthOf(atMs).startMs;
  return most === null || !isSpent ? most : Math.max(0, most - allowance.decodes);
}

/** Returns the workspace as the caller behind one of its test keys. */
export function asTest(caller: Subscriber): Subscriber {
  return { ...caller, isTest: true, limit: Math.min(caller.limit ?? TEST_LIMIT, TEST_LIMIT) };
}
