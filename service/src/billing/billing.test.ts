import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { findWorkspace, setPlan } from '../workspaces/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { Billing, planAfter } from './billing.ts';
import { systemClock } from '../kernel/clock.ts';

const WEBHOOK_SECRET = 'whsec_of_the_tests';

/** Plays Stripe's API as far as it is used: real requests, real answers, one subscription. */
class StandInStripe {
  readonly #server: Server;
  readonly requests: { path: string; form: URLSearchParams; key: string | undefined }[] = [];
  subscription = { id: 'sub_1', status: 'active', price: 'price_starter', workspace: '' };
  /** True while it answers nothing. */
  isAway = false;
  /** A subscription that it does not know. */
  missing: string | undefined;
  /** Resolves when the pending answer may arrive; its content was fixed before. */
  delay: Promise<void> | undefined;
  /** Further ones, by id. */
  readonly others = new Map<string, { status: string; price: string }>();

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response)).listen(0, '127.0.0.1');
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    return `http://127.0.0.1:${address.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) {
      response.destroy();
      return;
    }
    const path = request.url ?? '';
    const form = new URLSearchParams(await text(request));
    this.requests.push({ path, form, key: request.headers.authorization });
    if (request.method === 'DELETE') this.subscription.status = 'canceled';
    if (this.missing !== undefined && path.endsWith(this.missing)) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } }),
      );
      return;
    }
    const answer = JSON.stringify(this.#answer(path));
    const { delay } = this;
    this.delay = undefined;
    await delay;
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  }

  #answer(path: string): object {
    const id = path.split('/').at(-1) ?? '';
    const { workspace } = this.subscription;
    const { status, price } = this.others.get(id) ?? this.subscription;
    if (path === '/v1/checkout/sessions')
      return { object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay' };
    if (path === '/v1/billing_portal/sessions') return { url: 'https://billing.stripe.com/p/session' };
    return {
      id,
      object: 'subscription',
      customer: 'cus_1',
      status,
      metadata: { workspace },
      items: { data: [{ price: { id: price } }] },
    };
  }
}

describe.each(ENGINES)('billing through Stripe on %s', (engine) => {
  const stripe = new StandInStripe();
  let fresh: TestDatabase;
  let service: TestService;
  let owner: Reader;
  let apiUrl: string;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    apiUrl = await stripe.url();
    const { databaseUrl } = fresh.location;
    service = await testService({
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_STARTER: 'price_starter',
      STRIPE_PRICE_BUSINESS: 'price_business',
      STRIPE_API_URL: apiUrl,
    });
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    stripe.subscription.workspace = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    stripe.close();
    await fresh.remove();
  });

  const sendEvent = (type: string, secret = WEBHOOK_SECRET, id = 'sub_1') => {
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type,
      data: { object: { id, object: 'subscription' } },
    });
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return service.app.inject({ method: 'POST', url: '/billing/stripe', headers, payload });
  };
  const stripeBilling = () => {
    const prices = { starter: 'price_starter', business: 'price_business' };
    const config = { secretKey: 'sk_test_of_the_tests', webhookSecret: WEBHOOK_SECRET, prices, apiUrl };
    return new Billing({ config, database: service.database, clock: systemClock });
  };
  const planNow = async () => (await findWorkspace(service.database, 'ada-motors'))?.plan;

  test('an owner is sent to pay for a plan', async () => {
    const answer = await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' });
    expect(answer.headers['location']).toBe('https://checkout.stripe.com/c/pay');
    const sent = stripe.requests.at(-1);
    expect(sent?.key).toBe('Bearer sk_test_of_the_tests');
    expect(Object.fromEntries(sent?.form ?? [])).toMatchObject({
      mode: 'subscription',
      'line_items[0][price]': 'price_starter',
      'subscription_data[metadata][workspace]': stripe.subscription.workspace,
      customer_email: 'ada@example.com',
    });
    expect((await owner.post('/portal/ada-motors/plan/buy', { plan: 'enterprise' })).statusCode).toBe(400);
  });

  test('a paid subscription gives its plan, a changed one another, an ended one takes it', async () => {
    expect(await planNow()).toBe('free');
    expect((await sendEvent('customer.subscription.created')).statusCode).toBe(200);
    expect(await planNow()).toBe('starter');
    stripe.subscription.price = 'price_business';
    await sendEvent('customer.subscription.updated');
    await sendEvent('customer.subscription.updated');
    expect(await planNow()).toBe('business');
    expect((await owner.post('/portal/ada-motors/plan/manage')).headers['location']).toContain('billing.stripe.com');
    stripe.subscription.status = 'canceled';
    // A late event carries an earlier state; Stripe's API has the present one.
    await sendEvent('customer.subscription.updated');
    expect(await planNow()).toBe('free');
  });

  test('a subscription whose price is no longer in the settings keeps its plan, and ends', async () => {
    stripe.subscription.status = 'active';
    await sendEvent('customer.subscription.updated');
    stripe.subscription.price = 'price_of_last_year';
    await sendEvent('customer.subscription.updated');
    expect(await planNow()).toBe('business');
    stripe.subscription.status = 'canceled';
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('free');
    stripe.subscription.price = 'price_business';
  });

  test('an answer of Stripe that a newer one overtakes does not bring an ended plan back', async () => {
    stripe.subscription.status = 'active';
    const delay = Promise.withResolvers<void>();
    stripe.delay = delay.promise;
    const asked = stripe.requests.length;
    const slow = sendEvent('customer.subscription.updated');
    await until(async () => stripe.requests.length > asked && stripe.delay === undefined);
    stripe.subscription.status = 'canceled';
    await sendEvent('customer.subscription.deleted');
    delay.resolve();
    expect((await slow).statusCode).toBe(200);
    expect(await planNow()).toBe('free');
    expect((await owner.get('/portal/ada-motors/plan')).body).not.toContain('Business, active');
  });

  test("twenty events of one subscription at once leave Stripe's latest state", async () => {
    stripe.subscription.status = 'active';
    const events = Array.from({ length: 20 }, (_, index) => {
      stripe.subscription.price = index % 2 === 0 ? 'price_starter' : 'price_business';
      return sendEvent('customer.subscription.updated');
    });
    const statuses = (await Promise.all(events)).map(({ statusCode }) => statusCode);
    // Stripe resends events that were not accepted.
    expect(statuses.every((status) => status === 200 || status >= 500)).toBe(true);
    expect(await planNow()).toBe('business');
    stripe.subscription.status = 'canceled';
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('free');
  });

  test('the end of one subscription leaves the plan that another one pays for', async () => {
    stripe.subscription.status = 'active';
    await sendEvent('customer.subscription.updated');
    expect(await planNow()).toBe('business');
    stripe.others.set('sub_older', { status: 'active', price: 'price_starter' });
    await sendEvent('customer.subscription.created', WEBHOOK_SECRET, 'sub_older');
    expect(await planNow()).toBe('business');
    stripe.others.set('sub_older', { status: 'canceled', price: 'price_starter' });
    await sendEvent('customer.subscription.deleted', WEBHOOK_SECRET, 'sub_older');
    expect(await planNow()).toBe('business');
    expect((await owner.get('/portal/ada-motors/plan')).body).toContain('Business, active');
    stripe.others.set('sub_older', { status: 'active', price: 'price_starter' });
    await sendEvent('customer.subscription.updated', WEBHOOK_SECRET, 'sub_older');
    stripe.subscription.status = 'canceled';
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('starter');
    stripe.others.set('sub_older', { status: 'canceled', price: 'price_starter' });
    await sendEvent('customer.subscription.deleted', WEBHOOK_SECRET, 'sub_older');
    expect(await planNow()).toBe('free');
  });

  test('a plan that an administrator gave stays when a subscription ends', async () => {
    await setPlan({ database: service.database, clock: systemClock }, 'ada-motors', { plan: 'enterprise' }, 'cli:test');
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('enterprise');
  });

  test('an event that Stripe did not sign changes nothing', async () => {
    stripe.subscription.status = 'active';
    expect((await sendEvent('customer.subscription.updated', 'whsec_of_someone_else')).statusCode).toBe(400);
    expect(await planNow()).toBe('enterprise');
  });

  test('while Stripe cannot be reached, forms and events get 503 with what to do, and nothing changes', async () => {
    const before = await planNow();
    stripe.isAway = true;
    const answer = await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.body).toContain('The payment provider cannot be reached');
    // Stripe sends it again.
    expect((await sendEvent('customer.subscription.updated')).statusCode).toBe(503);
    expect(await planNow()).toBe(before);
    stripe.isAway = false;
  });

  test('closing a workspace waits for no answer of Stripe, and then ends what is paid for it', async () => {
    stripe.subscription.status = 'active';
    stripe.others.set('sub_gone', { status: 'active', price: 'price_starter' });
    await sendEvent('customer.subscription.updated');
    await sendEvent('customer.subscription.created', WEBHOOK_SECRET, 'sub_gone');
    const { kysely } = service.database;
    const statuses = async () =>
      (await kysely.selectFrom('workspace_billing').select(['subscription_id', 'status']).execute())
        .filter(({ subscription_id: id }) => id === 'sub_1' || id === 'sub_gone')
        .map(({ status }) => status);
    expect((await owner.get('/portal/ada-motors/members')).body).toContain('a paid subscription ends within a minute');
    stripe.isAway = true;
    expect((await owner.post('/portal/ada-motors/close', { slug: 'ada-motors' })).headers.location).toBe('/portal');
    expect(await statuses()).toEqual(['active', 'active']);
    stripe.isAway = false;
    stripe.others.delete('sub_gone');
    stripe.missing = 'sub_gone';
    await stripeBilling().endClosed();
    expect(await statuses()).toEqual(['canceled', 'canceled']);
    expect(stripe.subscription.status).toBe('canceled');
    // One that is paid after the workspace was closed.
    stripe.subscription.status = 'active';
    await sendEvent('customer.subscription.created');
    await stripeBilling().endClosed();
    expect(await statuses()).toEqual(['canceled', 'canceled']);
  });
});

test.each([
  [{ current: 'free', before: undefined, after: 'starter' }, 'starter'],
  [{ current: 'starter', before: 'starter', after: undefined }, 'free'],
  [{ current: 'business', before: 'business', after: 'starter' }, 'starter'],
  [{ current: 'business', before: 'business', after: 'business' }, 'business'],
  [{ current: 'enterprise', before: 'starter', after: undefined }, 'enterprise'],
  [{ current: 'enterprise', before: 'starter', after: 'starter' }, 'enterprise'],
  [{ current: 'starter', before: undefined, after: 'business' }, 'business'],
] as const)('after %o the plan is %s', (change, plan) => {
  expect(planAfter(change)).toBe(plan);
});
