import { Stripe } from 'stripe';
import type { FastifyBaseLogger } from 'fastify';

import { changePlan, type Plan, type PlanLimits, PLANS, workspaceOf } from '../workspaces/index.ts';
import {
  ENTITLING_STATUSES,
  givenPlan,
  goesOn,
  limitAfter,
  planAfter,
  planOf,
  revisionOf,
  type Subscription,
  subscriptionsOf,
} from './subscriptions.ts';
import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import type { BillingConfig } from '../kernel/config/config.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { SERVER_LIMITS } from '../kernel/http/limits.ts';

/** Three tries with 1.5 seconds of pauses: they end before the connection of the person who waits. */
const RETRIES = 2;
const TIMEOUT_MS = (SERVER_LIMITS.connectionTimeout - 6_000) / (1 + RETRIES);

/** A subscription as Stripe has it. */
interface SubscriptionState extends Subscription {
  id: string;
  workspaceId: string;
}

/** The number of times that an event queries Stripe again while others are stored; after that, Stripe resends it. */
const SETTLE_TRIES = 10;

/** Events that say that a subscription may have changed. */
const EVENTS = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
]);

const REFUSED = 'Stripe refused a request: check the secret key and the prices in the settings';
const TWICE = 'a workspace pays for more than one subscription';
const OWN_LIMIT = "a plan has changed, which ended the workspace's own limit: set it again if it was agreed";
const WITHOUT_PLAN = 'a subscription has no price of the settings, so it gives no plan';

type BillingParts = ActDeps & {
  config: BillingConfig;
  planLimits: PlanLimits;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
};

/** Payment for plans through Stripe. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #deps: BillingParts;

  constructor(deps: BillingParts) {
    this.#deps = deps;
    this.#stripe = new Stripe(deps.config.secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
      ...apiHostOptions(deps.config.apiUrl),
    });
  }

  /** The plans that can be bought. */
  get plansOnSale(): Plan[] {
    return PLANS.filter((plan) => this.#deps.config.prices[plan] !== undefined);
  }

  /**
   * Starts the purchase of a plan. @returns the URL of Stripe's page for it.
   * @throws HttpError 409 while a subscription goes on: both would be paid.
   */
  async checkout(wanted: {
    workspaceId: string;
    plan: Plan;
    email: string;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string | undefined> {
    const price = this.#deps.config.prices[wanted.plan];
    if (price === undefined) return undefined;
    const subscriptions = await this.subscriptionsOf(wanted.workspaceId);
    if (subscriptions.some(goesOn)) {
      throw new HttpError(409, 'This workspace has a subscription already. Change it on the page of its plan.');
    }
    const [known] = subscriptions;
    const creating = this.#stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      client_reference_id: wanted.workspaceId,
      subscription_data: { metadata: { workspace: wanted.workspaceId } },
      success_url: wanted.successUrl,
      cancel_url: wanted.cancelUrl,
      ...(known === undefined ? { customer_email: wanted.email } : { customer: known.customerId }),
    });
    return (await this.#answered(creating)).url ?? undefined;
  }

  /** Returns the address of Stripe's page where a customer changes or ends a subscription. */
  async manage(customerId: string, returnUrl: string): Promise<string> {
    const creating = this.#stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
    return (await this.#answered(creating)).url;
  }

  /** Returns the subscriptions of a workspace, as Stripe last reported them: first the one that gives it its plan. */
  async subscriptionsOf(workspaceId: string): Promise<Subscription[]> {
    return subscriptionsOf(this.#deps.database.kysely, workspaceId);
  }

  /**
   * Ends the subscriptions of closed workspaces: closing waits for no answer of Stripe, and a payment may come after it.
   * @throws AggregateError for those that Stripe did not end; the others have ended.
   */
  async endClosed(): Promise<void> {
    const { kysely } = this.#deps.database;
    const paid = kysely
      .selectFrom('workspace_billing')
      .innerJoin('workspaces', 'workspaces.id', 'workspace_billing.workspace_id')
      .select('subscription_id')
      .where('status', 'in', [...ENTITLING_STATUSES])
      .where('suspended_at', 'is not', null)
      .where('workspaces.id', 'not in', kysely.selectFrom('workspace_members').select('workspace_id'));
    const errors: unknown[] = [];
    for (const { subscription_id: id } of await paid.execute()) {
      await this.#end(id).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} subscriptions of closed workspaces go on`);
  }

  async #end(subscriptionId: string): Promise<void> {
    try {
      // It may have ended since: Stripe refuses to end it again.
      const { status } = await this.#answered(this.#stripe.subscriptions.retrieve(subscriptionId));
      if (ENTITLING_STATUSES.has(status)) await this.#answered(this.#stripe.subscriptions.cancel(subscriptionId));
      await this.#settle(subscriptionId);
    } catch (error) {
      if (!isUnknownToStripe(error)) throw error;
      await this.#deps.database.kysely
        .updateTable('workspace_billing')
        .set({ status: 'canceled' })
        .where('subscription_id', '=', subscriptionId)
        .execute();
    }
  }

  /**
   * Handles an event. Its content is ignored and the state read from Stripe, so it may arrive twice, late or out of
   * order.
   * @returns `forged` when the signature is not Stripe's.
   */
  async handleEvent(body: Buffer, signature: string): Promise<'handled' | 'forged'> {
    let event: Stripe.Event;
    try {
      event = await this.#stripe.webhooks.constructEventAsync(body, signature, this.#deps.config.webhookSecret);
    } catch {
      return 'forged';
    }
    if (!EVENTS.has(event.type)) return 'handled';
    const id = subscriptionIn(event);
    if (id === undefined) return 'handled';
    try {
      await this.#settle(id);
    } catch (error) {
      // Of another mode of the account, or another account: sending it again would not help.
      if (!isUnknownToStripe(error)) throw error;
      this.#deps.log.warn({ subscription: id }, 'an event is about a subscription that Stripe does not have');
    }
    return 'handled';
  }

  /**
   * Waits for Stripe's answer.
   * @throws HttpError 503 when Stripe cannot be reached, fails or refuses; its cause is Stripe's error.
   */
  async #answered<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, statusCode: status = 0, code, param } = error;
      const isOut = type === 'StripeConnectionError' || type === 'StripeRateLimitError' || status >= 500;
      // Not its message, which may have part of the secret key.
      if (!isOut) this.#deps.log.error({ type, status, code, param }, REFUSED);
      const what = isOut ? 'cannot be reached' : 'refused this';
      const message = `The payment provider ${what}. Nothing was changed or charged. Try again in a minute.`;
      throw Object.assign(new HttpError(503, message, { 'retry-after': '60' }), { cause: error });
    }
  }

  /**
   * Sets a workspace's plan to the present state of its subscription. Stripe must not be queried under a lock, so
   * answers may overtake each other: one counts only if no other was stored since it was asked for.
   */
  async #settle(subscriptionId: string): Promise<void> {
    const { database } = this.#deps;
    for (let tries = 0; tries < SETTLE_TRIES; tries++) {
      const revision = await revisionOf(database.kysely, subscriptionId);
      const state = await this.#stateOf(subscriptionId);
      if (state === undefined || (await this.#store(state, revision))) return;
    }
    throw new Error(`The subscription ${subscriptionId} changes faster than Stripe can be asked.`);
  }

  /**
   * Returns a subscription as Stripe has it; undefined: it was not created here. One whose price is no longer in the
   * settings keeps the plan that it was bought for.
   */
  async #stateOf(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const { config } = this.#deps;
    const subscription = await this.#answered(this.#stripe.subscriptions.retrieve(subscriptionId));
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

  /** Stores a state and sets the plan. @returns whether the subscription still had the revision that is given. */
  async #store({ id, workspaceId, ...state }: SubscriptionState, revision: number): Promise<boolean> {
    const store = async (act: Act): Promise<boolean> => {
      const { transaction, atMs } = act;
      if ((await revisionOf(transaction, id)) !== revision) return false;
      // It may have been another's until now: that one loses the plan.
      const stored = transaction
        .selectFrom('workspace_billing')
        .select('workspace_id')
        .where('subscription_id', '=', id);
      const holderIds = [workspaceId, (await stored.executeTakeFirst())?.workspace_id ?? workspaceId];
      const holders = await transaction.selectFrom('workspaces').selectAll().where('id', 'in', holderIds).execute();
      if (!holders.some((holder) => holder.id === workspaceId)) return true;
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
      return true;
    };
    return audited(this.#deps, 'billing:stripe', store, 'access');
  }
}

function subscriptionIn(event: Stripe.Event): string | undefined {
  const { object } = event.data;
  if (object.object === 'subscription') return object.id;
  if (object.object !== 'checkout.session') return undefined;
  const { subscription } = object;
  return typeof subscription === 'string' ? subscription : subscription?.id;
}

function apiHostOptions(apiUrl: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSecure = protocol === 'https:';
  return {
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    protocol: isSecure ? 'https' : 'http',
  };
}

/** Returns true if Stripe does not have what was asked for: another account's, or removed. */
function isUnknownToStripe(error: unknown): boolean {
  const cause = error instanceof HttpError ? error.cause : undefined;
  return cause instanceof Stripe.errors.StripeError && cause.code === 'resource_missing';
}
