import type { FastifyBaseLogger } from 'fastify';
import type { Stripe } from 'stripe';

import { changePlan, erasedSlug, type PlanLimits, PLANS, workspaceOf } from '../workspaces/index.ts';
import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import type { BillingConfig } from '../kernel/config/config.ts';
import { answered, isUnknownToStripe } from './stripe-api.ts';
import {
  givenPlan,
  goesOn,
  limitAfter,
  planAfter,
  planOf,
  revisionOf,
  type Subscription,
  subscriptionsOf,
} from './subscriptions.ts';

/** A subscription as Stripe has it. */
interface SubscriptionState extends Subscription {
  id: string;
  workspaceId: string;
}

/** The outcome of storing a state: it is stored, Stripe was asked again meanwhile, or no workspace here has to know it. */
type StoreOutcome = 'stored' | 'overtaken' | 'elsewhere';

/** The number of times that an event queries Stripe again while others are stored; after that, Stripe resends it. */
const SETTLE_TRIES = 10;

const TWICE = 'a workspace pays for more than one subscription';
const OWN_LIMIT = "a plan has changed, which ended the workspace's own limit: set it again if it was agreed";
const WITHOUT_PLAN = 'a subscription has no price of the settings, so it gives no plan';

/** The dependencies of a settler. */
export type SettlerParts = ActDeps & {
  config: BillingConfig;
  planLimits: PlanLimits;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
};

/** Gives workspaces the plans that Stripe says are paid. */
export class Settler {
  readonly #deps: SettlerParts;
  readonly #stripe: Stripe;

  constructor(deps: SettlerParts, stripe: Stripe) {
    this.#deps = deps;
    this.#stripe = stripe;
  }

  /** Settles a subscription that an event is about. @returns whether it is stored. */
  async settleKnown(id: string): Promise<boolean> {
    try {
      return await this.settle(id);
    } catch (error) {
      // Of another mode of the account, or another account: sending it again would not help.
      if (!isUnknownToStripe(error)) throw error;
      this.#deps.log.warn({ subscription: id }, 'an event is about a subscription that Stripe does not have');
      return false;
    }
  }

  /**
   * Sets a workspace's plan to the present state of its subscription. Stripe must not be queried under a lock, so
   * answers may overtake each other: one counts only if no other was stored since it was asked for.
   *
   * @returns whether it is stored: one without a workspace here, or without a price of the settings, is not.
   */
  async settle(subscriptionId: string): Promise<boolean> {
    const { database } = this.#deps;
    for (let tries = 0; tries < SETTLE_TRIES; tries++) {
      const revision = await revisionOf(database.kysely, subscriptionId);
      const state = await this.#stateOf(subscriptionId);
      if (state === undefined) return false;
      const outcome = await this.#store(state, revision);
      if (outcome !== 'overtaken') return outcome === 'stored';
    }
    throw new Error(`The subscription ${subscriptionId} changes faster than Stripe can be asked.`);
  }

  /**
   * Returns a subscription as Stripe has it; undefined: it was not created here. One whose price is no longer in the
   * settings keeps the plan that it was bought for.
   */
  async #stateOf(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const { config } = this.#deps;
    const subscription = await answered(this.#stripe.subscriptions.retrieve(subscriptionId), this.#deps.log);
    const workspaceId = subscription.metadata['workspace'];
    if (workspaceId === undefined) return undefined;
    const prices = subscription.items.data.map(({ price }) => price.id);
    const plan = PLANS.findLast((one) => prices.some((price) => config.prices[one] === price));
    const known = plan ?? (await planOf(this.#deps.database.kysely, subscriptionId));
    if (known === undefined) {
      this.#deps.log.warn({ subscription: subscriptionId, prices, workspace: workspaceId }, WITHOUT_PLAN);
      return undefined;
    }
    const { customer, status } = subscription;
    const customerId = typeof customer === 'string' ? customer : customer.id;
    return { id: subscriptionId, workspaceId, customerId, plan: known, status };
  }

  /** Stores a state and sets the plan, unless the subscription no longer has the revision that is given. */
  async #store({ id, workspaceId, ...state }: SubscriptionState, revision: number): Promise<StoreOutcome> {
    const store = async (act: Act): Promise<StoreOutcome> => {
      const { transaction, atMs } = act;
      if ((await revisionOf(transaction, id)) !== revision) return 'overtaken';
      // It may have been another's until now: that one loses the plan.
      const stored = transaction
        .selectFrom('workspace_billing')
        .select('workspace_id')
        .where('subscription_id', '=', id);
      const holderIds = [workspaceId, (await stored.executeTakeFirst())?.workspace_id ?? workspaceId];
      const holders = await transaction.selectFrom('workspaces').selectAll().where('id', 'in', holderIds).execute();
      const payer = holders.find((holder) => holder.id === workspaceId);
      if (payer === undefined) return 'elsewhere';
      // Of an erased workspace, only what has still to be ended is stored.
      if (revision === 0 && payer.slug === erasedSlug(workspaceId) && !goesOn(state)) return 'elsewhere';
      const given = async (): Promise<Map<string, Subscription[]>> => {
        const byHolder = new Map<string, Subscription[]>();
        for (const { id: holder } of holders) byHolder.set(holder, await subscriptionsOf(transaction, holder));
        return byHolder;
      };
      const before = await given();
      const row = {
        workspace_id: workspaceId,
        customer_id: state.customerId,
        plan: state.plan,
        status: state.status,
        updated_at: atMs,
        revision: revision + 1,
      };
      await transaction
        .insertInto('workspace_billing')
        .values({ subscription_id: id, ...row })
        .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(row))
        .execute();
      const after = await given();
      for (const { id: holder, slug, plan: current, limit: own } of holders.map(workspaceOf)) {
        const [was = [], now = []] = [before.get(holder), after.get(holder)];
        if (now.filter(goesOn).length > 1) this.#deps.log.warn({ workspace: slug, subscription: id }, TWICE);
        const plan = planAfter({ current, before: givenPlan(was), after: givenPlan(now) });
        if (plan === current) continue;
        const why = { status: state.status, subscription: id };
        const limit = limitAfter(own, { from: current, to: plan }, this.#deps.planLimits);
        if (limit.kind !== own.kind) this.#deps.log.warn({ workspace: slug, from: current, plan, own }, OWN_LIMIT);
        await changePlan(act, slug, { plan, limit }, why);
      }
      return 'stored';
    };
    return audited(this.#deps, 'billing:stripe', store, 'access');
  }
}
