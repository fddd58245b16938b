import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCli } from '../cli/program.ts';
import { readSetting, writeSetting } from '../kernel/db/settings.ts';
import { DAY_MS, HOUR_MS, SECOND_MS, systemClock } from '../kernel/clock.ts';
import { PASSWORD, signUp } from '../people/testing/people.ts';
import { ENGINES } from '../testing/databases.ts';
import { ioWith } from '../testing/io.ts';
import { Reader } from '../testing/reader.ts';
import type { TestService } from '../testing/service.ts';
import { findWorkspace } from '../workspaces/index.ts';
import { billing as slice } from './slice.ts';
import { billingOn, type TestBilling } from './testing/billing.ts';
import { READ_UNTIL } from './events.ts';
import type { StandInStripe } from './testing/stand-in-stripe.ts';

/** Returns an event about a subscription. */
const happened = (type: string, subscription: string, workspace: string | undefined, agoMs = 0) => {
  const isCheckout = type.startsWith('checkout');
  const metadata = workspace === undefined ? {} : { workspace };
  const object = isCheckout
    ? { object: 'checkout.session', subscription, client_reference_id: workspace ?? null }
    : { object: 'subscription', id: subscription, metadata };
  return { type, created: Math.floor((systemClock() - agoMs) / 1_000), data: { object } };
};

describe.each(ENGINES)('what Stripe says, asked on %s', (engine) => {
  let billing: TestBilling;
  let service: TestService;
  let stripe: StandInStripe;

  beforeAll(async () => {
    billing = await billingOn(engine);
    ({ service, stripe } = billing);
  });

  afterAll(() => billing.close());

  /** Has the events of so many days be read again. */
  const readUntil = (days: number) =>
    writeSetting(service.database.kysely, READ_UNTIL, String(systemClock() - days * DAY_MS));
  const lastRead = () => readSetting(service.database.kysely, READ_UNTIL);
  const planOf = async (name: string) => (await findWorkspace(service.database, name))?.plan;
  /** Signs a person up, whose workspace is called as they are. */
  const another = async (name: string) => ({
    owner: await signUp(service, `${name}@example.com`, name),
    id: (await findWorkspace(service.database, name))?.id ?? '',
  });

  test('a purchase whose event does not arrive gives its plan when its owner comes back, and is not sold again', async () => {
    const { owner: other, id } = await another('eve');
    stripe.others.set('sub_lost', { status: 'active', price: 'price_starter', workspace: id });
    stripe.events = [happened('customer.subscription.created', 'sub_lost', id)];
    expect((await other.get('/portal/eve/plan?paid=1')).headers['location']).toBe('/portal/eve/plan?paid=1');
    const { body } = await other.get('/portal/eve/plan?paid=1');
    expect(body).toContain('Starter, active');
    expect(body).not.toContain('Upgrade to');
    stripe.others.set('sub_lost', { status: 'canceled', price: 'price_starter', workspace: id });
    await billing.sendEvent('customer.subscription.deleted', 'sub_lost');
    // Not even if they go to pay at once.
    stripe.others.set('sub_again', { status: 'active', price: 'price_business', workspace: id });
    stripe.events = [happened('checkout.session.completed', 'sub_again', id), ...stripe.events];
    const asked = stripe.requests.length;
    expect((await other.post('/portal/eve/plan/buy', { plan: 'business' })).statusCode).toBe(409);
    expect(stripe.requests.slice(asked).map(({ path }) => path)).not.toContain('/v1/checkout/sessions');
    expect((await findWorkspace(service.database, 'eve'))?.plan).toBe('business');
    stripe.events = [];
  });

  test('who comes back from paying waits for no subscription of others, and for a silent Stripe a few seconds', async () => {
    const { owner, id } = await another('ida');
    for (let count = 0; count < 5; count += 1) {
      stripe.others.set(`sub_other${count}`, { status: 'active', price: 'price_starter', workspace: 'other' });
      stripe.events.push(happened('customer.subscription.updated', `sub_other${count}`, 'other'));
    }
    const asked = stripe.requests.length;
    expect((await owner.get('/portal/ida/plan?paid=1')).statusCode).toBe(200);
    const paths = stripe.requests.slice(asked).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/v1/subscriptions/'))).toEqual([]);
    stripe.others.set('sub_ida', { status: 'active', price: 'price_starter', workspace: id });
    stripe.events = [happened('checkout.session.completed', 'sub_ida', id)];
    const silence = Promise.withResolvers<void>();
    stripe.delay = silence.promise;
    // The page comes though Stripe has not answered.
    expect((await owner.get('/portal/ida/plan?paid=1')).body).toContain('Thank you.');
    silence.resolve();
    stripe.events = [];
  });

  test('one workspace has Stripe asked a few times at once, and others go on', async () => {
    const { owner } = await another('flo');
    const before = stripe.requests.length;
    const answers = [];
    for (let times = 0; times < 40; times += 1)
      answers.push(await owner.post('/portal/flo/plan/buy', { plan: 'starter' }));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body).toContain('Try again in');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    const asked = stripe.requests.length;
    const pages = [];
    for (let times = 0; times < 10; times += 1) pages.push((await owner.get('/portal/flo/plan?paid=1')).body);
    // One may have come back.
    expect(stripe.requests.length - asked).toBeLessThan(3);
    expect(pages.some((page) => page.includes('If it is not shown, open this page again in'))).toBe(true);
    const bought = stripe.requests.slice(before, asked).filter(({ path }) => path === '/v1/checkout/sessions');
    expect(bought).toHaveLength(answers.length - refused.length);
    const { owner: other } = await another('gil');
    expect((await other.post('/portal/gil/plan/buy', { plan: 'starter' })).statusCode).toBe(303);
  });

  test('who is not an owner has Stripe asked for nothing', async () => {
    const { owner, id } = await another('rosa');
    await another('rolf');
    const { kysely } = service.database;
    const person = await kysely.selectFrom('auth_users').select('id').where('email', '=', 'rolf@example.com').execute();
    const joined = person.map((one) => ({ workspace_id: id, user_id: one.id, role: 'member' as const, created_at: 1 }));
    await kysely.insertInto('workspace_members').values(joined).execute();
    const member = new Reader(service.app);
    await member.post('/sign-in', { email: 'rolf@example.com', password: PASSWORD });
    const asked = stripe.requests.length;
    for (let times = 0; times < 25; times += 1) {
      expect((await member.get('/portal/rosa/plan?paid=1')).statusCode).toBe(200);
    }
    expect(stripe.requests).toHaveLength(asked);
    expect((await owner.post('/portal/rosa/plan/buy', { plan: 'starter' })).statusCode).toBe(303);
  });

  test('once an hour the events since the last one are read, as after a restored backup, and missed ones are reported', async () => {
    const { id } = await another('kim');
    stripe.others.set('sub_kim', { status: 'active', price: 'price_starter', workspace: id });
    await billing.sendEvent('customer.subscription.created', 'sub_kim');
    const planOfKim = async () => (await findWorkspace(service.database, 'kim'))?.plan;
    stripe.others.set('sub_kim', { status: 'canceled', price: 'price_starter', workspace: id });
    const ofShop = happened('customer.subscription.updated', 'sub_of_a_shop', undefined);
    stripe.events = [happened('customer.subscription.deleted', 'sub_kim', id), ofShop];
    await billing.own().readEvents();
    expect(await planOfKim()).toBe('free');
    expect(service.logged()).not.toMatch(/"sub_kim"[^\n]*events of Stripe did not arrive/);
    expect(stripe.requests.map(({ path }) => path)).not.toContain('/v1/subscriptions/sub_of_a_shop');
    // Weeks ago, by the backup.
    await readUntil(20);
    const stored = service.database.kysely.updateTable('workspace_billing');
    await stored.set({ updated_at: systemClock() - 20 * DAY_MS }).execute();
    stripe.others.set('sub_kim', { status: 'active', price: 'price_starter', workspace: id });
    stripe.events = [happened('customer.subscription.updated', 'sub_kim', id, 19 * DAY_MS)];
    await billing.own().readEvents();
    expect(await planOfKim()).toBe('starter');
    expect(service.logged()).toMatch(
      /"level":"error"[^\n]*"subscriptions":\["sub_kim"\],"msg":"events of Stripe did not arrive/,
    );
    // Months ago: Stripe has no events of then.
    await stored.set({ updated_at: systemClock() - 90 * DAY_MS }).execute();
    stripe.others.set('sub_kim', { status: 'canceled', price: 'price_starter', workspace: id });
    const own = billing.own();
    const before = stripe.requests.length;
    const daily = (await slice.schedules?.({ billing: own }))?.find(({ name }) => name === 'stripe-subscriptions');
    // An instance that stops asks for no further subscription.
    await expect(daily?.run(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(stripe.requests).toHaveLength(before);
    await daily?.run(new AbortController().signal);
    expect(await planOfKim()).toBe('free');
    const asked = stripe.requests.length;
    await billing.own().settleAll();
    await billing.own().readEvents();
    const paths = stripe.requests.slice(asked).map(({ path }) => path.split('?', 1)[0]);
    expect(new Set(paths)).toEqual(new Set(['/v1/events']));
    stripe.events = [];
  });

  test('after weeks without reading, events are read from where they were read last, whatever arrived since', async () => {
    const { id } = await another('lea');
    const { id: newer } = await another('mia');
    await readUntil(10);
    stripe.others.set('sub_lea', { status: 'active', price: 'price_starter', workspace: id });
    stripe.others.set('sub_mia', { status: 'active', price: 'price_starter', workspace: newer });
    stripe.refusedPath = 'sub_broken';
    await billing.sendEvent('customer.subscription.created', 'sub_mia');
    // One that is not settled leaves the others, and all are read again.
    stripe.events = [
      happened('customer.subscription.updated', 'sub_broken', newer),
      happened('checkout.session.completed', 'sub_lea', id, 9.5 * DAY_MS),
    ];
    const before = await lastRead();
    await expect(billing.own().readEvents()).rejects.toThrow('1 subscriptions could not be settled');
    expect((await findWorkspace(service.database, 'lea'))?.plan).toBe('starter');
    expect(await lastRead()).toBe(before);
    stripe.refusedPath = undefined;
    await billing.own().readEvents();
    expect(Number(await lastRead())).toBeGreaterThan(systemClock() - DAY_MS);
    stripe.events = [];
  });

  test('a reading of events ends, whatever the server says, and with the instance', async () => {
    stripe.isEndless = true;
    stripe.events = [happened('customer.subscription.updated', 'sub_of_a_shop', undefined)];
    const asked = stripe.requests.length;
    await expect(billing.own().readEvents(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(stripe.requests).toHaveLength(asked);
    await billing.own().readEvents();
    expect(stripe.requests).toHaveLength(asked + 100);
    expect(service.logged()).toMatch(/"level":"warn"[^\n]*the others are read the next time/);
    stripe.isEndless = false;
    await billing.own().readEvents();
    expect(stripe.requests).toHaveLength(asked + 101);
    stripe.events = [];
  });

  test('events that a reading leaves are read the next time, and all of them again where some were not settled', async () => {
    const [{ id: first }, { id: last }] = [await another('nia'), await another('ova')];
    for (const [id, workspace] of [
      ['sub_nia', first],
      ['sub_ova', last],
    ] as const)
      stripe.others.set(id, { status: 'active', price: 'price_starter', workspace });
    const others = Array.from({ length: 200 }, (_, index) =>
      happened('customer.subscription.updated', 'sub_of_a_shop', undefined, HOUR_MS + index * SECOND_MS),
    );
    stripe.events = [
      happened('customer.subscription.created', 'sub_nia', first),
      ...others,
      happened('customer.subscription.created', 'sub_ova', last, DAY_MS / 2),
    ];
    stripe.pageOfEvents = 2;
    stripe.refusedPath = 'sub_nia';
    await readUntil(1);
    const before = await lastRead();
    await expect(billing.own().readEvents()).rejects.toThrow('1 subscriptions could not be settled');
    expect([await planOf('nia'), await planOf('ova')]).toEqual(['free', 'free']);
    stripe.refusedPath = undefined;
    await billing.own().readEvents();
    expect([await planOf('nia'), await planOf('ova')]).toEqual(['free', 'starter']);
    expect(await lastRead()).toBe(before);
    await billing.own().readEvents();
    expect([await planOf('nia'), await planOf('ova')]).toEqual(['starter', 'starter']);
    expect(await lastRead()).toBe(before);
    await billing.own().readEvents();
    expect(Number(await lastRead())).toBeGreaterThan(Number(before));
    stripe.pageOfEvents = 100;
    stripe.events = [];
  });

  test('an erased workspace pays no more, and then nothing of its subscription is left', async () => {
    const { id } = await another('max');
    stripe.subscription = { id: 'sub_1', status: 'active', price: 'price_starter', workspace: id };
    stripe.others.set('sub_ended', { status: 'canceled', price: 'price_starter', workspace: id });
    for (const one of ['sub_max', 'sub_ended']) await billing.sendEvent('customer.subscription.created', one);
    const io = { ...ioWith('', service.env), pause: async () => {} };
    expect(await runCli(['privacy', 'erase', '--workspace', 'max', '--yes'], io)).toBe(0);
    const { kysely } = service.database;
    const left = () => kysely.selectFrom('workspace_billing').select('status').where('workspace_id', '=', id).execute();
    expect(await left()).toEqual([{ status: 'active' }]);
    await billing.own().endClosed();
    expect(stripe.subscription.status).toBe('canceled');
    expect(await left()).toEqual([]);
    // Stripe has its events for a month.
    await readUntil(1);
    stripe.events = [happened('customer.subscription.deleted', 'sub_max', id, DAY_MS / 2)];
    await billing.own().readEvents();
    expect(await left()).toEqual([]);
    expect(service.logged()).not.toMatch(/"sub_max"[^\n]*events of Stripe did not arrive/);
    // They had Stripe's page open.
    stripe.subscription.status = 'active';
    await billing.sendEvent('customer.subscription.created', 'sub_max');
    expect(await left()).toEqual([{ status: 'active' }]);
    await billing.own().endClosed();
    expect(stripe.subscription.status).toBe('canceled');
    stripe.events = [];
  });

  test('what another service of the same account sells is not taken for an event that did not arrive', async () => {
    const { id } = await another('zoe');
    stripe.others.set('sub_elsewhere', { status: 'active', price: 'price_starter', workspace: 'of-another-service' });
    stripe.others.set('sub_of_a_price', { status: 'active', price: 'price_of_2019', workspace: id });
    await readUntil(1);
    stripe.events = [
      happened('customer.subscription.updated', 'sub_elsewhere', 'of-another-service', DAY_MS / 2),
      happened('customer.subscription.updated', 'sub_of_a_price', id, DAY_MS / 2),
    ];
    await billing.own().readEvents();
    expect(service.logged()).toMatch(/"sub_of_a_price"[^\n]*no price of the settings/);
    expect(service.logged()).not.toMatch(/"sub_(elsewhere|of_a_price)"[^\n]*events of Stripe did not arrive/);
    stripe.events = [];
  });
});
