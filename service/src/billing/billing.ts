import { Stripe } from 'stripe';
import type { FastifyInstance } from 'fastify';

import { changePlan, type Plan, PLANS } from '../workspaces/index.ts';
import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import type { BillingConfig } from '../kernel/config/config.ts';
import type { Database } from '../kernel/db/index.ts';
import { HttpError } from '../kernel/http/http-error.ts';

const TIMEOUT_MS = 10_000;

/** A workspace's subscription in its last known state. */
export interface Subscription {
  customerId: string;
  plan: Plan;
  /** Stripe's status: active, past_due, canceled and so on. */
  status: string;
}

/** A subscription as Stripe has it. */
interface SubscriptionState extends Subscription {
  id: string;
  workspaceId: string;
}

/** The number of times that an event queries Stripe again while others are stored; after that, Stripe resends it. */
const SETTLE_TRIES = 10;

/** Stripe statuses that entitle to the plan. Stripe retries a late payment for some days. */
const ENTITLING_STATUSES = new Set(['active', 'trialing', 'past_due']);

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
  readonly #deps: ActDeps & { config: BillingConfig };

  constructor(deps: ActDeps & { config: BillingConfig }) {
    this.#deps = deps;
    this.#stripe = new Stripe(deps.config.secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 2,
      telemetry: false,
      ...apiHostOptions(deps.config.apiUrl),
    });
  }

  /** The plans that can be bought. */
  get plansOnSale(): Plan[] {
    return PLANS.filter((plan) => this.#deps.config.prices[plan] !== undefined);
  }

  /** Starts the purchase of a plan. @returns the URL of Stripe's page for it. */
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
    const creating = this.#stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      client_reference_id: wanted.workspaceId,
      subscription_data: { metadata },
      success_url: wanted.successUrl,
      cancel_url: wanted.cancelUrl,
      ...(known === undefined ? { customer_email: wanted.email } : { customer: known.customerId }),
    });
    return (await answered(creating)).url ?? undefined;
  }

  /** Returns the address of Stripe's page where a customer changes or ends a subscription. */
  async manage(customerId: string, returnUrl: string): Promise<string> {
    const creating = this.#stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
    return (await answered(creating)).url;
  }

  /**
   * Returns the subscription that gives a workspace its plan, as Stripe last reported it; else the newest one that
   * ended.
   */
  async subscriptionOf(workspaceId: string): Promise<Subscription | undefined> {
    const [first] = await subscriptionsOf(this.#deps.database.kysely, workspaceId);
    return first;
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
      const { status } = await answered(this.#stripe.subscriptions.retrieve(subscriptionId));
      if (ENTITLING_STATUSES.has(status)) await answered(this.#stripe.subscriptions.cancel(subscriptionId));
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
    if (id !== undefined) await this.#settle(id);
    return 'handled';
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
    const subscription = await answered(this.#stripe.subscriptions.retrieve(subscriptionId));
    const workspaceId = subscription.metadata['workspace'];
    const price = subscription.items.data[0]?.price.id;
    const plan = PLANS.find((one) => price !== undefined && config.prices[one] === price);
    if (workspaceId === undefined) return undefined;
    const known = plan ?? (await planOf(this.#deps.database.kysely, subscriptionId));
    if (known === undefined) return undefined;
    const { customer, status } = subscription;
    const customerId = typeof customer === 'string' ? customer : customer.id;
    return { id: subscriptionId, workspaceId, customerId, plan: known, status };
  }

  /** Stores a state and sets the plan. @returns whether the subscription still had the revision that is given. */
  async #store({ id, workspaceId, ...state }: SubscriptionState, revision: number): Promise<boolean> {
    const store = async (act: Act): Promise<boolean> => {
      const { transaction, atMs } = act;
      if ((await revisionOf(transaction, id)) !== revision) return false;
      const workspace = await transaction
        .selectFrom('workspaces')
        .select(['slug', 'plan'])
        .where('id', '=', workspaceId)
        .executeTakeFirst();
      if (workspace === undefined) return true;
      const before = givenPlan(await subscriptionsOf(transaction, workspaceId));
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
      const after = givenPlan(await subscriptionsOf(transaction, workspaceId));
      const plan = planAfter({ current: workspace.plan, before, after });
      if (plan === workspace.plan) return true;
      const why = { status: state.status, subscription: id };
      await changePlan(act, workspace.slug, { plan, limit: { kind: 'plan' } }, why);
      return true;
    };
    return audited(this.#deps, 'billing:stripe', store, 'access');
  }
}

/** Returns the plan that a stored subscription was last known to give. */
async function planOf(kysely: Database['kysely'], subscriptionId: string): Promise<Plan | undefined> {
  const stored = kysely.selectFrom('workspace_billing').select('plan').where('subscription_id', '=', subscriptionId);
  return (await stored.executeTakeFirst())?.plan;
}

/** Returns the number of times that the state of a subscription has been stored; 0: never. */
async function revisionOf(kysely: Database['kysely'], subscriptionId: string): Promise<number> {
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
  return ENTITLING_STATUSES.has(status) ? 1 + PLANS.indexOf(plan) : 0;
}

/** Returns the highest plan that any of a workspace's subscriptions gives. */
function givenPlan([first]: readonly Subscription[]): Plan | undefined {
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

/** Waits for Stripe's answer. @throws HttpError 503 when Stripe cannot be reached, or fails. */
async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, statusCode = 0 } = error;
    const isOut = type === 'StripeConnectionError' || type === 'StripeRateLimitError' || statusCode >= 500;
    if (!isOut) throw error;
    const message = 'The payment provider cannot be reached. Nothing was changed or charged. Try again in a minute.';
    throw new HttpError(503, message, { 'retry-after': '60' });
  }
}

/** Returns true if Stripe does not have what was asked for: another account's, or removed. */
function isUnknownToStripe(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}

/** Adds `POST /billing/stripe`, Stripe's webhook. The body is kept as sent, because it is signed. */
export async function addWebhook(app: FastifyInstance, billing: Billing): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: 1_048_576 },
      (_request, body, done) => done(null, body),
    );
    scope.post('/billing/stripe', { schema: { hide: true } }, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (!Buffer.isBuffer(request.body) || typeof signature !== 'string') {
        throw new HttpError(400, 'This is not an event from Stripe.');
      }
      if ((await billing.handleEvent(request.body, signature)) === 'forged') {
        throw new HttpError(400, 'The signature is wrong.');
      }
      return reply.send({ received: true });
    });
  });
}
