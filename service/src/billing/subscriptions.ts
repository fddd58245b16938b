import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { type LimitChoice, type Plan, type PlanLimits, PLANS } from '../workspaces/index.ts';

/** A workspace's subscription in its last known state. */
export interface Subscription {
  customerId: string;
  plan: Plan;
  /** Stripe's status: active, past_due, canceled and so on. */
  status: string;
}

/** Stripe statuses that entitle to the plan. Stripe retries a late payment for some days. */
const ENTITLING_STATUSES = new Set(['active', 'trialing', 'past_due']);

/** Stripe statuses of subscriptions that have ended for good. Others can be paid again, or for the first time. */
export const ENDED_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];

/** Returns true if a subscription has not ended: a second one would be paid beside it. */
export function goesOn({ status }: Pick<Subscription, 'status'>): boolean {
  return !ENDED_STATUSES.includes(status);
}

/** Returns the plan that a stored subscription was last known to give. */
export async function planOf(kysely: Database['kysely'], subscriptionId: string): Promise<Plan | undefined> {
  const stored = kysely.selectFrom('workspace_billing').select('plan').where('subscription_id', '=', subscriptionId);
  return (await stored.executeTakeFirst())?.plan;
}

/** Returns the number of times that the state of a subscription has been stored; 0: never. */
export async function revisionOf(kysely: Database['kysely'], subscriptionId: string): Promise<number> {
  const row = await kysely
    .selectFrom('workspace_billing')
    .select('revision')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/**
 * Lists all subscriptions that a workspace ever had: first those that give a plan, with the highest plan and the newest
 * first.
 */
export async function subscriptionsOf(kysely: Database['kysely'], workspaceId: string): Promise<Subscription[]> {
  const rows = await kysely
    .selectFrom('workspace_billing')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('updated_at', 'desc')
    .execute();
  return rows
    .map((row) => ({ customerId: row.customer_id, plan: row.plan, status: row.status }))
    .toSorted((a, b) => rankOf(b) - rankOf(a));
}

/** Deletes the subscriptions of erased workspaces that have ended: the others are ended first. */
export async function forgetErased(kysely: Database['kysely']): Promise<void> {
  const erased = kysely
    .selectFrom('workspaces')
    .select('id')
    .where(sql<boolean>`slug = 'erased-' || id`);
  await kysely
    .deleteFrom('workspace_billing')
    .where('status', 'in', ENDED_STATUSES)
    .where('workspace_id', 'in', erased)
    .execute();
}

function rankOf({ plan, status }: Subscription): number {
  return ENTITLING_STATUSES.has(status) ? 1 + PLANS.indexOf(plan) : 0;
}

/** Returns the highest plan that any of a workspace's subscriptions gives. */
export function givenPlan([first]: readonly Subscription[]): Plan | undefined {
  return first !== undefined && ENTITLING_STATUSES.has(first.status) ? first.plan : undefined;
}

/**
 * Returns the plan of a workspace after a change of one of its subscriptions: what all of them together give, `free`
 * when nothing. A plan set by an administrator stays, unless the plan just bought is higher. Pure.
 *
 * @param change the plan that it has, and what its subscriptions gave before the change and give after it.
 */
export function planAfter(change: { current: Plan; before: Plan | undefined; after: Plan | undefined }): Plan {
  const { current, before, after } = change;
  if (before === after) return current;
  const wanted = after ?? 'free';
  const isOfOthers = current !== (before ?? 'free');
  return isOfOthers && PLANS.indexOf(wanted) < PLANS.indexOf(current) ? current : wanted;
}

/**
 * Returns the limit of a workspace after a change of its plan. One of its own stays as far as the new plan goes: on a
 * lower plan while it is no more than that gives, on a higher one while it is more. Pure.
 */
export function limitAfter(limit: LimitChoice, change: { from: Plan; to: Plan }, planLimits: PlanLimits): LimitChoice {
  if (limit.kind === 'plan') return limit;
  const own = limit.kind === 'fixed' ? limit.limit : Infinity;
  const given = planLimits[change.to] ?? Infinity;
  const isHigher = PLANS.indexOf(change.to) > PLANS.indexOf(change.from);
  return (isHigher ? own > given : own <= given) ? limit : { kind: 'plan' };
}
