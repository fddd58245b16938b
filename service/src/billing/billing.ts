import { setTimeout as sleep } from 'node:timers/promises';

import type { Stripe } from 'stripe';

import { type Plan, PLANS } from '../workspaces/index.ts';
import { changedSince, EVENTS, noteRead, type Reading, subscriptionIn, unread, workspaceIn } from './events.ts';
import { ENDED_STATUSES, forgetErased, goesOn, type Subscription, subscriptionsOf } from './subscriptions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { Settler, type SettlerParts } from './settle.ts';
import { answered, isMissing, isUnknownToStripe, openStripe } from './stripe-api.ts';

/** Events of the time since a person went to pay, and how long they wait for them, in milliseconds. */
const RECENT_MS = HOUR_MS;
const WAIT_MS = 3_000;

/** Pages of a hundred events that are read at once: a server that always has one more is not read without end. */
const MOST_PAGES = 100;

const MISSED =
  'events of Stripe did not arrive: check that its endpoint is /billing/stripe, and its signing secret STRIPE_WEBHOOK_SECRET';
const LEFT = `Stripe has more than ${MOST_PAGES} pages of events: the others are read the next time`;
const FORGED =
  'the signature of an event is wrong: if Stripe sent it, STRIPE_WEBHOOK_SECRET is not that of its endpoint';

/** Payment for plans through Stripe. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #deps: SettlerParts;
  readonly #settler: Settler;

  constructor(deps: SettlerParts) {
    this.#deps = deps;
    this.#stripe = openStripe(deps.config);
    this.#settler = new Settler(deps, this.#stripe);
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
    if (!(await this.subscriptionsOf(wanted.workspaceId)).some(goesOn)) await this.readRecent(wanted.workspaceId);
    const subscriptions = await this.subscriptionsOf(wanted.workspaceId);
    if (subscriptions.some(goesOn)) {
      throw new HttpError(409, 'This workspace has a subscription already. Change it on the page of its plan.');
    }
    const create = (payer: { customer: string } | { customer_email: string }) =>
      this.#stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price, quantity: 1 }],
        client_reference_id: wanted.workspaceId,
        subscription_data: { metadata: { workspace: wanted.workspaceId } },
        success_url: wanted.successUrl,
        cancel_url: wanted.cancelUrl,
        ...payer,
      });
    const [known] = subscriptions;
    const asNew = { customer_email: wanted.email };
    const creating =
      known === undefined
        ? create(asNew)
        : create({ customer: known.customerId }).catch((error: unknown) => {
            if (!isMissing(error, 'customer')) throw error;
            return create(asNew);
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
   * Reads the events that Stripe had since they were read last: some may not have arrived, and those after a restored
   * backup are forgotten. What many of them leave is read the next time.
   */
  async readEvents(signal?: AbortSignal): Promise<void> {
    const { database, clock, log } = this.#deps;
    const reading = await unread(database, clock());
    const { missed, errors, leftSeconds } = await this.#read(reading.created, {}, { signal });
    if (missed.length > 0) log.error({ subscriptions: missed }, MISSED);
    if (leftSeconds !== undefined) log.warn(LEFT);
    await noteRead(database, reading, errors.length === 0, leftSeconds);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} subscriptions could not be settled`);
  }

  /** Asks for every subscription that goes on and was not settled for a day: Stripe forgets events after a month. */
  async settleAll(signal?: AbortSignal): Promise<void> {
    const { database, clock } = this.#deps;
    const stale = database.kysely.selectFrom('workspace_billing').select(['subscription_id', 'status']);
    for (const { subscription_id: id, ...state } of await stale.where('updated_at', '<', clock() - DAY_MS).execute()) {
      signal?.throwIfAborted();
      if (goesOn(state)) await this.#settler.settleKnown(id);
    }
  }

  /**
   * Reads the events of the last hour about a workspace, whose owner may have paid, and goes on without what Stripe does
   * not say soon.
   */
  async readRecent(workspaceId: string): Promise<void> {
    const { clock, log } = this.#deps;
    const created = { gte: Math.floor((clock() - RECENT_MS) / SECOND_MS) };
    const bounds = { timeout: WAIT_MS, maxNetworkRetries: 0 };
    const reading = this.#read(created, bounds, { workspaceId, signal: AbortSignal.timeout(WAIT_MS) });
    const read = reading.catch(() => log.warn('the last events of Stripe could not be read'));
    await Promise.race([read, sleep(WAIT_MS, undefined, { ref: false })]);
  }

  /**
   * Settles what has changed, of one workspace or of all, a page of events at a time.
   * @returns the subscriptions about which an event did not arrive, why others could not be settled, and the second up to
   * which further events are left.
   */
  async #read(
    created: Reading['created'],
    options: Stripe.RequestOptions,
    { workspaceId, signal }: { workspaceId?: string; signal?: AbortSignal | undefined },
  ): Promise<{ missed: string[]; errors: unknown[]; leftSeconds?: number }> {
    const missed: string[] = [];
    const errors: unknown[] = [];
    let after: Stripe.EventListParams = {};
    for (let pages = 1; ; pages += 1) {
      signal?.throwIfAborted();
      const wanted = { types: [...EVENTS], created, limit: 100, ...after };
      const page = await this.#answered(this.#stripe.events.list(wanted, options));
      const events = page.data.filter((event) => workspaceId === undefined || workspaceIn(event) === workspaceId);
      const { changed, missed: late } = await changedSince(this.#deps.database, events);
      for (const id of changed) {
        signal?.throwIfAborted();
        try {
          if ((await this.#settler.settleKnown(id)) && late.includes(id)) missed.push(id);
        } catch (error) {
          errors.push(error);
        }
      }
      const last = page.data.at(-1);
      if (!page.has_more || last === undefined) return { missed, errors };
      if (pages === MOST_PAGES) return { missed, errors, leftSeconds: last.created };
      after = { starting_after: last.id };
    }
  }

  /**
   * Ends the subscriptions of closed workspaces: closing waits for no answer of Stripe, and a payment may come after it.
   * @throws AggregateError for those that Stripe did not end; the others have ended.
   */
  async endClosed(signal?: AbortSignal): Promise<void> {
    const { kysely } = this.#deps.database;
    const paid = kysely
      .selectFrom('workspace_billing')
      .innerJoin('workspaces', 'workspaces.id', 'workspace_billing.workspace_id')
      .select('subscription_id')
      .where('status', 'not in', ENDED_STATUSES)
      .where('suspended_at', 'is not', null)
      .where('workspaces.id', 'not in', kysely.selectFrom('workspace_members').select('workspace_id'));
    const errors: unknown[] = [];
    for (const { subscription_id: id } of await paid.execute()) {
      signal?.throwIfAborted();
      await this.#end(id).catch((error: unknown) => errors.push(error));
    }
    await forgetErased(kysely);
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} subscriptions of closed workspaces go on`);
  }

  async #end(subscriptionId: string): Promise<void> {
    try {
      // It may have ended since: Stripe refuses to end it again.
      const subscription = await this.#answered(this.#stripe.subscriptions.retrieve(subscriptionId));
      if (goesOn(subscription)) await this.#answered(this.#stripe.subscriptions.cancel(subscriptionId));
      await this.#settler.settle(subscriptionId);
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
      this.#noteForged();
      return 'forged';
    }
    const isAbout = EVENTS.some((type) => type === event.type);
    const id = isAbout ? subscriptionIn(event) : undefined;
    if (id !== undefined) await this.#settler.settleKnown(id);
    return 'handled';
  }

  /** Tells the operator once a minute: anyone can send such. */
  #noteForged(): void {
    const nowMs = performance.now();
    if (nowMs < this.#forgedAtMs + MINUTE_MS) return;
    this.#forgedAtMs = nowMs;
    this.#deps.log.error(FORGED);
  }

  #forgedAtMs = -Infinity;

  #answered<T>(request: Promise<T>): Promise<T> {
    return answered(request, this.#deps.log);
  }
}
