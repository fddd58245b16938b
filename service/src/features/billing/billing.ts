import { Stripe } from 'stripe';

import { changePlan } from '../access/index.ts';
import { type Act, audited } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BillingConfig } from '../../platform/config/config.ts';
import { type Database, type Plan, PLANS } from '../../platform/db/index.ts';

const TIMEOUT_MS = 10_000;

/** What billing needs. */
export interface BillingDeps {
  config: BillingConfig;
  database: Database;
  clock: Clock;
}

/** A workspace's subscription in its last known state. */
export interface Subscription {
  customerId: string;
  plan: Plan;
  /** In Stripe's words: active, past_due, canceled and so on. */
  status: string;
}

/** Words of Stripe under which a subscription gives its plan. A late payment is tried again for some days. */
const GIVING = new Set(['active', 'trialing', 'past_due']);

/** Events that say that a subscription may have changed. */
const EVENTS = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
]);

/** Payment for plans through Stripe. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #deps: BillingDeps;

  constructor(deps: BillingDeps) {
    this.#deps = deps;
    this.#stripe = new Stripe(deps.config.secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 2,
      telemetry: false,
      ...elsewhere(deps.config.apiUrl),
    });
  }

  /** The plans that can be bought. */
  get plansOnSale(): Plan[] {
    return PLANS.filter((plan) => this.#deps.config.prices[plan] !== undefined);
  }

  /** Begins the purchase of a plan. @returns the address of Stripe's page for it. */
  async checkout(wanted: {
    workspaceId: string;
    plan: Plan;
    email: string;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string | undefined> {
    const price = this.#deps.config.prices[wanted.plan];
    if (price === undefined) return undefined;
    const known = await this.subscriptionOf(wanted.workspaceId);
    const metadata = { workspace: wanted.workspaceId };
    const session = await this.#stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      client_reference_id: wanted.workspaceId,
      subscription_data: { metadata },
      success_url: wanted.successUrl,
      cancel_url: wanted.cancelUrl,
      ...(known === undefined ? { customer_email: wanted.email } : { customer: known.customerId }),
    });
    return session.url ?? undefined;
  }

  /** Where a customer changes or ends a subscription: the address of Stripe's page for it. */
  async manage(customerId: string, returnUrl: string): Promise<string> {
    const session = await this.#stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
    return session.url;
  }

  /** The subscription that gives a workspace its plan, as Stripe last reported it; else the newest one that ended. */
  async subscriptionOf(workspaceId: string): Promise<Subscription | undefined> {
    const [first] = await subscriptionsOf(this.#deps.database.kysely, workspaceId);
    return first;
  }

  /**
   * Takes an event in. What it says is not believed but asked of Stripe, so that it may come twice, late or out of order.
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
    if (id !== undefined) await this.#settle(id);
    return 'handled';
  }

  /** Makes a workspace's plan what its subscription says at this moment. */
  async #settle(subscriptionId: string): Promise<void> {
    const { database, clock, config } = this.#deps;
    const subscription = await this.#stripe.subscriptions.retrieve(subscriptionId);
    const workspaceId = subscription.metadata['workspace'];
    const price = subscription.items.data[0]?.price.id;
    const paid = PLANS.find((plan) => price !== undefined && config.prices[plan] === price);
    if (workspaceId === undefined || paid === undefined) return;
    const { customer, status } = subscription;
    const customerId = typeof customer === 'string' ? customer : customer.id;
    const row = { workspace_id: workspaceId, customer_id: customerId, plan: paid, status };
    const settle = async (act: Act): Promise<void> => {
      const { transaction, atMs } = act;
      const workspace = await transaction
        .selectFrom('workspaces')
        .select(['slug', 'plan'])
        .where('id', '=', workspaceId)
        .executeTakeFirst();
      if (workspace === undefined) return;
      const before = givenPlan(await subscriptionsOf(transaction, workspaceId));
      await transaction
        .insertInto('workspace_billing')
        .values({ subscription_id: subscriptionId, ...row, updated_at: atMs })
        .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet({ ...row, updated_at: atMs }))
        .execute();
      const after = givenPlan(await subscriptionsOf(transaction, workspaceId));
      const plan = planAfter({ current: workspace.plan, before, after });
      if (plan === workspace.plan) return;
      await changePlan(
        act,
        workspace.slug,
        { plan, limit: { kind: 'plan' } },
        { status, subscription: subscriptionId },
      );
    };
    await audited({ database, clock }, 'billing:stripe', settle, 'access');
  }
}

/** All subscriptions that a workspace ever had: those that give a plan first, the highest plan and the newest first. */
async function subscriptionsOf(kysely: Database['kysely'], workspaceId: string): Promise<Subscription[]> {
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

function rankOf({ plan, status }: Subscription): number {
  return GIVING.has(status) ? 1 + PLANS.indexOf(plan) : 0;
}

/** The highest plan that any of a workspace's subscriptions gives. */
function givenPlan([first]: readonly Subscription[]): Plan | undefined {
  return first !== undefined && GIVING.has(first.status) ? first.plan : undefined;
}

/**
 * The plan of a workspace after a change of one of its subscriptions: what all of them together give, `free` when nothing.
 * A plan that an administrator set in the meantime stays, unless what was just bought is above it. Pure.
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

function subscriptionIn(event: Stripe.Event): string | undefined {
  const { object } = event.data;
  if (object.object === 'subscription') return object.id;
  if (object.object !== 'checkout.session') return undefined;
  const { subscription } = object;
  return typeof subscription === 'string' ? subscription : subscription?.id;
}

function elsewhere(apiUrl: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSecure = protocol === 'https:';
  return {
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    protocol: isSecure ? 'https' : 'http',
  };
}
