import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { setSuspended } from '../../workspaces/index.ts';
import type { Database } from '../../kernel/db/index.ts';
import { ENGINES } from '../../testing/databases.ts';
import { until } from '../../testing/until.ts';
import { latestDeliveries, sendAgain, sendTest } from '../deliveries.ts';
import { changeEndpoint, disableEndpoint, enableEndpoint, findEndpoint, rotateSecret } from '../endpoints.ts';
import { PAUSES_MS } from '../retry.ts';
import { webhookBox } from '../secret.ts';
import { deliveriesOn, type TestDeliveries } from '../testing/deliveries.ts';
import { type Received, type Receiver, startReceiver, verified } from '../testing/receiver.ts';
import { emitEvent, endpointAt, endpointDeps, workspaceNamed } from '../testing/webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the library's signature: far ahead, it would refuse the time before it looks at one. */
const signatureOf = ({ id, headers, body }: Received, secret: string): string =>
  new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), body);

describe.each(ENGINES)('on %s', (engine) => {
  let deliveries: TestDeliveries;
  let database: Database;
  let receiver: Receiver;
  let workspaceId: string;
  let start: TestDeliveries['start'];
  let statesOf: TestDeliveries['statesOf'];
  let settled: TestDeliveries['settled'];

  beforeEach(async () => {
    deliveries = await deliveriesOn(engine);
    ({ database, receiver, workspaceId, start, statesOf, settled } = deliveries);
  });

  afterEach(() => deliveries.close());

  const clock = () => Date.now() + deliveries.aheadMs;

  const endpointNow = async (id: string) => {
    const found = await findEndpoint(database, workspaceId, id);
    if (found === undefined) throw new Error('The endpoint is gone.');
    return found;
  };

  test('an event arrives once, and the library of Standard Webhooks finds its signature right', async () => {
    const { endpoint, secret } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    start();
    await until(() => settled(endpoint.id));
    const [got] = receiver.got;
    if (got === undefined) throw new Error('Nothing came.');
    expect(verified(secret, got)).toEqual({
      type: 'report.decided',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { reportId: 'report-0', vin: '1HGCM82633A004352', state: 'accepted', reason: '' },
    });
    expect(got.headers['content-type']).toBe('application/json');
    expect(() => verified(secret, { ...got, body: `${got.body} ` })).toThrow(/signature/i);
    expect(receiver.got).toHaveLength(1);
    const [delivery] = await latestDeliveries(database, endpoint.id, 1);
    expect(delivery).toMatchObject({ eventId: got.id, state: 'delivered', attempts: 1, status: 204, runAtMs: null });
  });

  test('an event goes to every endpoint that chose it, under one id, and to no other workspace', async () => {
    await endpointAt(database, workspaceId, receiver.url);
    await endpointAt(database, workspaceId, `${receiver.url}/two`);
    const { endpoint } = await endpointAt(database, await workspaceNamed(database, 'other'), receiver.url);
    const deaf = await endpointAt(database, workspaceId, `${receiver.url}/deaf`);
    const wanted = { url: `${receiver.url}/deaf`, events: ['usage.threshold'] as const };
    await changeEndpoint(endpointDeps(database), deaf.endpoint, wanted, 'person:ada@example.com');
    await emitEvent(database, workspaceId);
    start();
    await receiver.untilGot(2);
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(1);
    expect(await statesOf(endpoint.id)).toEqual([]);
    expect(await statesOf(deaf.endpoint.id)).toEqual([]);
  });

  test('a receiver that fails is tried again by the schedule, with the same id and body, for two days', async () => {
    receiver.treat((response) => void response.writeHead(500).end('a long story'));
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    start();
    for (const [index, pauseMs] of PAUSES_MS.entries()) {
      await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.attempts === index + 1);
      const [delivery] = await latestDeliveries(database, endpoint.id, 1);
      expect(delivery).toMatchObject({ state: 'pending', status: 500, lastError: null });
      expect((delivery?.runAtMs ?? 0) - (delivery?.attemptedAtMs ?? 0)).toBe(pauseMs);
      deliveries.aheadMs += pauseMs + 1;
    }
    await until(() => settled(endpoint.id));
    expect(await statesOf(endpoint.id)).toEqual(['failed']);
    expect(receiver.got).toHaveLength(PAUSES_MS.length + 1);
    expect(new Set(receiver.got.map(({ id, body }) => id + body)).size).toBe(1);
    expect(await endpointNow(endpoint.id)).toMatchObject({ disabled: { why: 'failing' } });
    // Signed anew each time: a receiver refuses a signature that is minutes old.
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(receiver.got.length);
  });

  test('a receiver that works again gets what waited, and its endpoint is as good as new', async () => {
    receiver.treat((response) => void response.writeHead(503).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    for (let number = 0; number < 30; number++) await emitEvent(database, workspaceId, number);
    start();
    await until(async () => (await endpointNow(endpoint.id)).failures > 0);
    receiver.treat((response) => void response.writeHead(200).end('ok'));
    deliveries.aheadMs += 5_000;
    await until(() => settled(endpoint.id));
    expect(new Set(await statesOf(endpoint.id))).toEqual(new Set(['delivered']));
    expect(await endpointNow(endpoint.id)).toMatchObject({ failures: 0, failingSinceMs: null, disabled: undefined });
  });

  test('a receiver that asks for rest with Retry-After gets it', async () => {
    receiver.treat((response) => void response.writeHead(429, { 'retry-after': '3600' }).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    start();
    await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.attempts === 1);
    const [delivery] = await latestDeliveries(database, endpoint.id, 1);
    expect((delivery?.runAtMs ?? 0) - (delivery?.attemptedAtMs ?? 0)).toBe(HOUR_MS);
  });

  /** Ends the first instance, and starts another that has looked at all pauses once it has delivered elsewhere. */
  const restart = async (first: ReturnType<typeof start>) => {
    await first.close();
    const elsewhere = await workspaceNamed(database, 'elsewhere');
    const { endpoint } = await endpointAt(database, elsewhere, `${receiver.url}/elsewhere`);
    await emitEvent(database, elsewhere);
    start();
    await until(() => settled(endpoint.id));
  };

  test('another instance leaves a receiver the rest that it asked for, up to a day', async () => {
    receiver.treat((response) => void response.writeHead(503, { 'retry-after': '86400' }).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId, 1);
    const first = start();
    await until(async () => (await endpointNow(endpoint.id)).failures === 1);
    receiver.treat((response) => void response.writeHead(204).end());
    await emitEvent(database, workspaceId, 2);
    await restart(first);
    expect(await statesOf(endpoint.id)).toEqual(['pending', 'pending']);
    deliveries.aheadMs += DAY_MS;
    await until(() => settled(endpoint.id));
  });

  test('what a clock that was hours ahead put off is sent once the clock is right', async () => {
    receiver.treat((response) => void response.writeHead(500).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId, 1);
    deliveries.aheadMs = 3 * HOUR_MS;
    const first = start();
    await until(async () => (await endpointNow(endpoint.id)).failures === 1);
    await first.close();
    receiver.treat((response) => void response.writeHead(204).end());
    deliveries.aheadMs = 0;
    await emitEvent(database, workspaceId, 2);
    start();
    await until(async () => (await statesOf(endpoint.id)).includes('delivered'));
    expect((await endpointNow(endpoint.id)).failures).toBe(0);
  });

  test('what the earlier receiver answers after the URL was changed says nothing about the new one', async () => {
    const { promise: changed, resolve: goOn } = Promise.withResolvers<void>();
    receiver.treat((response) => void changed.then(() => response.writeHead(410).end()));
    const { endpoint } = await endpointAt(database, workspaceId, `${receiver.url}/old`);
    await emitEvent(database, workspaceId);
    start();
    await receiver.untilGot(1);
    await database.kysely.updateTable('webhook_endpoints').set({ failures: 9, failing_since: 1 }).execute();
    const wanted = { url: `${receiver.url}/new`, events: endpoint.events };
    await changeEndpoint(endpointDeps(database), endpoint, wanted, 'person:ada@example.com');
    goOn();
    receiver.treat((response) => void response.writeHead(204).end());
    await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.attempts === 1);
    deliveries.aheadMs += HOUR_MS;
    await until(() => settled(endpoint.id));
    expect(await statesOf(endpoint.id)).toEqual(['delivered']);
    expect(await endpointNow(endpoint.id)).toMatchObject({ disabled: undefined, failures: 0, failingSinceMs: null });
  });

  test('410 Gone ends it at once, and owners are notified by mail', async () => {
    // Mails are counted by days of UTC: none may end meanwhile.
    deliveries.aheadMs = DAY_MS - (Date.now() % DAY_MS);
    receiver.treat((response) => void response.writeHead(410).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    const now = new Date().toISOString();
    await database.kysely
      .insertInto('auth_users')
      .values({
        id: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        email_verified: engine === 'sqlite' ? 1 : true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const member = { workspace_id: workspaceId, user_id: 'ada', role: 'owner', created_at: 0 } as const;
    await database.kysely.insertInto('workspace_members').values(member).execute();
    for (let number = 0; number < 20; number++) await emitEvent(database, workspaceId, number);
    start({ sendsMail: true });
    await until(async () => (await endpointNow(endpoint.id)).disabled !== undefined);
    expect(await endpointNow(endpoint.id)).toMatchObject({ disabled: { why: 'gone' } });
    // What still waits is given up next.
    await until(async () => (await statesOf(endpoint.id)).every((state) => state === 'failed'));
    const messages = await database.kysely.selectFrom('mail_outbox').select('mail').execute();
    expect(messages).toHaveLength(1);
    expect(messages[0]?.mail).toMatch(/ada@example\.com.*A webhook of acme is disabled.*410 Gone/s);
    await emitEvent(database, workspaceId);
    expect(await statesOf(endpoint.id)).toEqual(Array(20).fill('failed'));
    // Any member can enable it and send it an event, as often as they like.
    for (let time = 2; time <= 6; time++) {
      await enableEndpoint(endpointDeps(database), endpoint, 'person:eve@example.com');
      await emitEvent(database, workspaceId, 100 + time);
      await until(async () => (await endpointNow(endpoint.id)).disabled !== undefined);
    }
    expect(await database.kysely.selectFrom('mail_outbox').select('mail').execute()).toHaveLength(3);
    const other = await endpointAt(database, workspaceId, `${receiver.url}/production`);
    await emitEvent(database, workspaceId, 200);
    await until(async () => (await endpointNow(other.endpoint.id)).disabled !== undefined);
    expect(await database.kysely.selectFrom('mail_outbox').select('mail').execute()).toHaveLength(4);
  });

  test('for a day after a rotation the secret before signs, too, and then no more', async () => {
    const { endpoint, secret } = await endpointAt(database, workspaceId, receiver.url);
    const next = await rotateSecret(endpointDeps(database), endpoint, 'person:ada@example.com');
    start();
    await emitEvent(database, workspaceId, 1);
    await receiver.untilGot(1);
    deliveries.aheadMs = 25 * HOUR_MS;
    await emitEvent(database, workspaceId, 2);
    await receiver.untilGot(2);
    const [during, after] = receiver.got;
    if (during === undefined || after === undefined) throw new Error('Nothing came.');
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verified(secret, during)).toEqual(verified(next, during));
    expect(after.headers['webhook-signature']).toBe(signatureOf(after, next));
  });

  test('a secret that is rotated again before anyone saved it leaves every one that signed, and so ten at most', async () => {
    const { endpoint, secret } = await endpointAt(database, workspaceId, receiver.url);
    const rotate = () => rotateSecret(endpointDeps(database), endpoint, 'person:ada@example.com');
    const [unsaved, next] = [await rotate(), await rotate()];
    start();
    await emitEvent(database, workspaceId, 1);
    await receiver.untilGot(1);
    const [got] = receiver.got;
    if (got === undefined) throw new Error('Nothing came.');
    for (const known of [secret, unsaved, next]) expect(verified(known, got).type).toBe('report.decided');
    for (let times = 0; times < 10; times += 1) await rotate();
    await emitEvent(database, workspaceId, 2);
    await receiver.untilGot(2);
    expect(receiver.got[1]?.headers['webhook-signature']).toMatch(/^(v1,\S+ ?){10}$/);
  });

  test('what was sealed before the secret of the instances was replaced signs nothing, and a new secret does', async () => {
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    const box = webhookBox('replaced');
    start({ box });
    await emitEvent(database, workspaceId, 1);
    await until(async () => (await endpointNow(endpoint.id)).failures === 1);
    expect(await latestDeliveries(database, endpoint.id, 1)).toMatchObject([{ lastError: 'secret not readable' }]);
    const next = await rotateSecret({ ...endpointDeps(database), box }, endpoint, 'person:ada@example.com');
    deliveries.aheadMs = HOUR_MS;
    await receiver.untilGot(1);
    const [got] = receiver.got;
    expect(got && signatureOf(got, next)).toBe(got?.headers['webhook-signature']);
  });

  test('a redirect is not followed, and a receiver that never answers is left when its time is up', async () => {
    const other = await startReceiver();
    receiver.treat((response) => void response.writeHead(307, { location: other.url }).end());
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    start({ bounds: { timeoutMs: 300 } });
    await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.status === 307);
    receiver.treat(() => {});
    // On a slow machine, attempts before the redirect may have been too slow as well: past the pause of any early
    // retry.
    deliveries.aheadMs += HOUR_MS;
    await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.lastError === 'too slow');
    expect(other.got).toEqual([]);
    await other[Symbol.asyncDispose]();
  });

  test("reads nothing of a receiver's answer beyond its status", async () => {
    receiver.treat((response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(4_096)), 1);
      response.on('close', () => clearInterval(more));
    });
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    start();
    await until(() => settled(endpoint.id));
    expect(await statesOf(endpoint.id)).toEqual(['delivered']);
  });

  test('a suspended workspace is sent nothing until it is let back in', async () => {
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await setSuspended({ database, clock }, 'acme', true, 'cli:test');
    await emitEvent(database, workspaceId);
    const other = await workspaceNamed(database, 'other');
    const { endpoint: others } = await endpointAt(database, other, receiver.url);
    await emitEvent(database, other);
    start();
    await until(() => settled(others.id));
    expect(await statesOf(endpoint.id)).toEqual(['pending']);
    await setSuspended({ database, clock }, 'acme', false, 'cli:test');
    await until(() => settled(endpoint.id));
  });

  test('an event that is enqueued as its endpoint is disabled is given up', async () => {
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    const disabled = { disabled_at: clock(), disabled_why: 'person' as const };
    await database.kysely.updateTable('webhook_endpoints').set(disabled).execute();
    start();
    await until(() => settled(endpoint.id));
    expect(await statesOf(endpoint.id)).toEqual(['failed']);
    expect(receiver.got).toEqual([]);
  });

  test('events missed by a disabled endpoint can be sent again once it is enabled, and only then', async () => {
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    await disableEndpoint({ database, clock }, endpoint, 'person:ada@example.com');
    const [given] = await latestDeliveries(database, endpoint.id, 1);
    expect(given).toMatchObject({ state: 'failed', lastError: 'endpoint disabled' });
    const deps = { database, clock };
    const eventId = given?.eventId ?? '';
    expect(await sendAgain(deps, await endpointNow(endpoint.id), eventId)).toBe(false);
    expect(await sendAgain(deps, endpoint, eventId)).toBe(true);
    await sendTest(deps, endpoint);
    expect(await statesOf(endpoint.id)).toEqual(['pending']);
  });
});
