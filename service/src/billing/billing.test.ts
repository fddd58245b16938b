import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createWorkspace, findWorkspace, setPlan, setSuspended } from '../workspaces/index.ts';
import { ENGINES } from '../testing/databases.ts';
import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import type { TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { billingOn, type TestBilling } from './testing/billing.ts';
import type { StandInStripe } from './testing/stand-in-stripe.ts';
import { systemClock } from '../kernel/clock.ts';

describe.each(ENGINES)('billing through Stripe on %s', (engine) => {
  let billing: TestBilling;
  let service: TestService;
  let stripe: StandInStripe;
  let owner: Reader;

  beforeAll(async () => {
    billing = await billingOn(engine);
    ({ service, stripe } = billing);
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    stripe.subscription.workspace = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
  });

  afterAll(() => billing.close());

  const sendEvent = (type: string, id?: string, secret?: string) => billing.sendEvent(type, id, secret);
  /** Returns what Stripe was asked, besides what the service reads by itself. */
  const askedSince = (count: number) =>
    stripe.requests.slice(count).flatMap(({ path }) => (path.startsWith('/v1/events') ? [] : [path]));
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
    const deps = { database: service.database, clock: systemClock };
    await setSuspended(deps, 'ada-motors', true, 'cli:tester');
    expect((await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' })).statusCode).toBe(403);
    await setSuspended(deps, 'ada-motors', false, 'cli:tester');
  });

  test('a paid subscription gives its plan, a changed one another, an ended one takes it', async () => {
    expect(await planNow()).toBe('free');
    expect((await sendEvent('customer.subscription.created')).statusCode).toBe(200);
    expect(await planNow()).toBe('starter');
    stripe.subscription.price = 'price_business';
    const deps = { database: service.database, clock: systemClock };
    await setPlan(deps, 'ada-motors', { limit: { kind: 'fixed', limit: 20_000 } }, 'cli:test');
    await sendEvent('customer.subscription.updated');
    const limitNow = async () => (await findWorkspace(service.database, 'ada-motors'))?.limit;
    expect(await planNow()).toBe('business');
    expect(await limitNow()).toEqual({ kind: 'fixed', limit: 20_000 });
    expect(service.logged()).not.toContain('a plan has changed');
    expect((await owner.post('/portal/ada-motors/plan/manage')).headers['location']).toContain('billing.stripe.com');
    stripe.subscription.status = 'canceled';
    // A late event carries an earlier state; Stripe's API has the present one.
    await sendEvent('customer.subscription.updated');
    expect(await planNow()).toBe('free');
    expect(await limitNow()).toEqual({ kind: 'plan' });
    expect(service.logged()).toMatch(
      /"from":"business","plan":"free","own":{"kind":"fixed","limit":20000},"msg":"a plan has changed, which/,
    );
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
    await sendEvent('customer.subscription.created', 'sub_older');
    expect(await planNow()).toBe('business');
    stripe.others.set('sub_older', { status: 'canceled', price: 'price_starter' });
    await sendEvent('customer.subscription.deleted', 'sub_older');
    expect(await planNow()).toBe('business');
    expect((await owner.get('/portal/ada-motors/plan')).body).toContain('Business, active');
    stripe.others.set('sub_older', { status: 'active', price: 'price_starter' });
    await sendEvent('customer.subscription.updated', 'sub_older');
    stripe.subscription.status = 'canceled';
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('starter');
    stripe.others.set('sub_older', { status: 'canceled', price: 'price_starter' });
    await sendEvent('customer.subscription.deleted', 'sub_older');
    expect(await planNow()).toBe('free');
  });

  test('while a subscription goes on, no second one is bought, and each of two is on the page', async () => {
    const asked = stripe.requests.length;
    stripe.subscription.status = 'active';
    await sendEvent('customer.subscription.updated');
    const second = await owner.post('/portal/ada-motors/plan/buy', { plan: 'business' });
    expect(second.statusCode).toBe(409);
    expect(askedSince(asked)).toEqual(['/v1/subscriptions/sub_1']);
    // Both were on Stripe's page before either was paid.
    stripe.others.set('sub_older', { status: 'active', price: 'price_starter', customer: 'cus_2' });
    await sendEvent('customer.subscription.created', 'sub_older');
    expect((await owner.get('/portal/ada-motors/plan')).body).toContain('Starter, active');
    await owner.post('/portal/ada-motors/plan/manage', { customer: 'cus_2' });
    expect(stripe.requests.at(-1)?.form.get('customer')).toBe('cus_2');
    await owner.post('/portal/ada-motors/plan/manage', { customer: 'cus_of_another' });
    expect(stripe.requests.at(-1)?.form.get('customer')).toBe('cus_1');
  });

  test('a subscription that moves to another workspace takes its plan with it', async () => {
    await createWorkspace(
      { database: service.database, clock: systemClock },
      { slug: 'bcme', plan: 'free' },
      'cli:test',
    );
    const other = await findWorkspace(service.database, 'bcme');
    const { workspace } = stripe.subscription;
    stripe.subscription.workspace = other?.id ?? '';
    stripe.others.set('sub_older', { status: 'active', price: 'price_starter', workspace });
    await sendEvent('customer.subscription.updated');
    expect([await planNow(), (await findWorkspace(service.database, 'bcme'))?.plan]).toEqual(['starter', 'business']);
    stripe.subscription.workspace = workspace;
    for (const id of ['sub_1', 'sub_older']) {
      stripe.subscription.status = 'canceled';
      stripe.others.set('sub_older', { status: 'canceled', price: 'price_starter' });
      await sendEvent('customer.subscription.deleted', id);
    }
    expect([await planNow(), (await findWorkspace(service.database, 'bcme'))?.plan]).toEqual(['free', 'free']);
  });

  test('what Stripe refuses is 503 for people, and an event about what it does not have is not sent again', async () => {
    for (stripe.refuses of [400, 401, 402, 403]) {
      const answer = await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' });
      expect(answer.statusCode).toBe(503);
      expect(answer.body).toContain('The payment provider refused this');
      expect(answer.body).not.toContain('sk_test');
    }
    stripe.refuses = undefined;
    stripe.missing = 'sub_of_another_mode';
    expect((await sendEvent('customer.subscription.updated', stripe.missing)).statusCode).toBe(200);
    stripe.missing = undefined;
  });

  test('a plan is bought again after its customer was deleted in Stripe, and as a customer that is still there', async () => {
    const buy = async () => {
      const asked = stripe.requests.length;
      const answer = await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' });
      expect(answer.headers['location']).toBe('https://checkout.stripe.com/c/pay');
      const sent = stripe.requests.slice(asked).filter(({ path }) => path.startsWith('/v1/checkout'));
      return sent.map(({ form }) => [form.get('customer'), form.get('customer_email')]);
    };
    expect(await buy()).toEqual([['cus_1', null]]);
    stripe.missing = 'cus_1';
    expect(await buy()).toEqual([
      ['cus_1', null],
      [null, 'ada@example.com'],
    ]);
    stripe.missing = undefined;
  });

  test('a plan that an administrator gave stays when a subscription ends', async () => {
    await setPlan({ database: service.database, clock: systemClock }, 'ada-motors', { plan: 'enterprise' }, 'cli:test');
    await sendEvent('customer.subscription.deleted');
    expect(await planNow()).toBe('enterprise');
  });

  test('an event that Stripe did not sign changes nothing', async () => {
    stripe.subscription.status = 'active';
    for (let times = 0; times < 3; times += 1)
      expect((await sendEvent('customer.subscription.updated', 'sub_1', 'whsec_of_someone_else')).statusCode).toBe(400);
    expect(await planNow()).toBe('enterprise');
    // Or the setting is another endpoint's.
    expect(service.logged().match(/"level":"error"[^\n]*the signature of an event is wrong/g)).toHaveLength(1);
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

  test.for(['buy', 'manage'])('who may no longer act when Stripe answers is not led to its page: %s', async (act) => {
    const deps = { database: service.database, clock: systemClock };
    const held = Promise.withResolvers<void>();
    stripe.delay = held.promise;
    const before = stripe.requests.length;
    const answer = owner.post(`/portal/ada-motors/plan/${act}`, { plan: 'starter' });
    await until(async () => stripe.requests.length > before);
    await setSuspended(deps, 'ada-motors', true, 'cli:tester');
    held.resolve();
    expect([(await answer).statusCode, (await answer).headers['location']]).toEqual([409, undefined]);
    await setSuspended(deps, 'ada-motors', false, 'cli:tester');
    expect((await owner.post(`/portal/ada-motors/plan/${act}`, { plan: 'starter' })).statusCode).toBe(303);
  });

  test('what a gateway answers instead of Stripe counts as no answer, and ends no process', async () => {
    for (const [status, text] of [
      [200, '"Service Unavailable"'],
      [502, '<html></html>'],
      [500, '{}'],
    ] as const) {
      stripe.gateway = { status, text };
      const answer = await owner.post('/portal/ada-motors/plan/buy', { plan: 'starter' });
      expect(answer.statusCode).toBe(503);
      expect(answer.body).toContain('The payment provider cannot be reached');
    }
    stripe.gateway = undefined;
  });

  test('closing a workspace waits for no answer of Stripe, and then ends what is paid for it', async () => {
    stripe.subscription.status = 'active';
    stripe.others.set('sub_gone', { status: 'active', price: 'price_starter' });
    await sendEvent('customer.subscription.updated');
    await sendEvent('customer.subscription.created', 'sub_gone');
    const { kysely } = service.database;
    const statuses = async () =>
      (await kysely.selectFrom('workspace_billing').select(['subscription_id', 'status']).execute())
        .filter(({ subscription_id: id }) => id === 'sub_1' || id === 'sub_gone')
        .map(({ status }) => status);
    expect((await owner.get('/portal/ada-motors/members')).body).toContain('a paid subscription ends within a minute');
    stripe.isAway = true;
    expect((await owner.submit('/portal/ada-motors/close', { slug: 'ada-motors' })).body).toContain(
      'The workspace ada-motors is closed.',
    );
    expect(await statuses()).toEqual(['active', 'active']);
    stripe.isAway = false;
    stripe.others.delete('sub_gone');
    stripe.missing = 'sub_gone';
    await billing.own().endClosed();
    expect(await statuses()).toEqual(['canceled', 'canceled']);
    expect(stripe.subscription.status).toBe('canceled');
    // One that is paid after the workspace was closed, or may still be.
    for (const status of ['active', 'unpaid', 'paused', 'incomplete']) {
      stripe.subscription.status = status;
      await sendEvent('customer.subscription.updated');
      await billing.own().endClosed();
      expect([status, stripe.subscription.status, ...(await statuses())]).toEqual([
        status,
        'canceled',
        'canceled',
        'canceled',
      ]);
    }
  });
});
