import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createKey, findWorkspace, systemRandom } from '../../workspaces/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { correctionsOn } from '../../corrections/testing/corrections.ts';
import { ENGINES } from '../../testing/databases.ts';
import { PASSWORD, signUp } from '../../people/testing/people.ts';
import { lastLink, Reader } from '../../testing/reader.ts';
import { emitEvent } from '../testing/webhooks.ts';
import { type Received, type Receiver, startReceiver, verified } from '../testing/receiver.ts';
import { serviceOn, type TestService, testService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';

const PAGE = '/portal/ada-motors/webhooks';
const ALL = ['enrichment.finished', 'job.completed', 'job.stopped', 'report.decided', 'usage.threshold'];

function secretIn(body: string): string {
  return /whsec_[A-Za-z0-9+/=]+/.exec(body)?.[0] ?? '';
}

describe.each(ENGINES)('webhooks in the portal on %s', (engine) => {
  let service: TestService;
  let owner: Reader;
  let receiver: Receiver;

  beforeEach(async () => {
    service = await serviceOn(engine, {
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      PLAN_LIMIT_FREE: '5',
    });
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const enter = (url: string) => owner.post(PAGE, new URLSearchParams({ url, event: 'report.decided' }));

  async function create(events: readonly string[] = ALL, at = ''): Promise<{ path: string; secret: string }> {
    const fields = new URLSearchParams([['url', receiver.url + at], ...events.map((event) => ['event', event])]);
    const { statusCode, body } = await owner.submit(PAGE, fields);
    expect(statusCode).toBe(200);
    const id = /webhooks\/([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';
    return { path: `${PAGE}/${id}`, secret: secretIn(body) };
  }

  /** Returns the contents of a request, once it is found to be as `/openapi.json` describes it, and nothing more. */
  async function described(got: Received | undefined, secret: string) {
    if (got === undefined) throw new Error('Nothing came.');
    const event = verified(secret, got);
    const openapi = (await service.app.inject('/openapi.json')).json();
    const { parameters, requestBody } = openapi.webhooks[event.type].post;
    for (const { name } of parameters) expect(got.headers[name]).toMatch(/./);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(requestBody.content['application/json'].schema);
    validate(event);
    expect(validate.errors).toBeNull();
    return event;
  }

  const auditActions = async () =>
    (await service.database.kysely.selectFrom('audit_log').select(['actor', 'action', 'details']).execute()).filter(
      ({ action }) => action.startsWith('webhook.'),
    );

  test('the secret of a webhook with a long URL fits a cookie', async () => {
    const made = await enter(`${receiver.url}/${'é'.repeat(1_500)}`);
    expect(made.statusCode).toBe(303);
    const cookies = [made.headers['set-cookie'] ?? []].flat();
    expect(Math.max(...cookies.map(({ length }) => length))).toBeLessThan(4_096);
  });

  test('a secret is shown once, a test event is signed with it and its delivery is seen', async () => {
    const { path, secret } = await create();
    expect(secret).toMatch(/^whsec_/);
    const id = path.split('/').at(-1);
    expect((await owner.get(`${PAGE}?shown=${id}`)).body).toContain('was shown once and cannot be shown again');
    for (const page of [PAGE, path]) expect((await owner.get(page)).body).not.toContain(secret);
    const sent = await owner.post(`${path}/test`);
    expect(sent.headers['location']).toBe(path);
    await receiver.untilGot(1);
    const [got] = receiver.got;
    expect(await described(got, secret)).toMatchObject({ type: 'webhook.test', data: {} });
    await until(async () => (await owner.get(path)).body.includes('>delivered<'));
    const { body } = await owner.get(path);
    expect(body).toContain('HTTP 204');
    expect(body).toContain(got?.id);
    const stored = await service.database.kysely.selectFrom('webhook_endpoints').select('secret').execute();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 20));
    expect(service.logged()).not.toContain(secret);
  });

  test('asked for its head, the page of a webhook answers as it does whole, and where to sign in', async () => {
    const { path } = await create();
    const { cookie } = owner;
    const head = (headers: { cookie?: string }) => service.app.inject({ method: 'HEAD', url: path, headers });
    expect((await head({ cookie })).statusCode).toBe(200);
    expect((await head({})).headers.location).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
  });

  test('decoding up to the limit sends events at 80 and at 100 percent', async () => {
    const { secret } = await create(['usage.threshold']);
    const workspace = await findWorkspace(service.database, 'ada-motors');
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const { key } = await createKey(deps, { workspaceId: workspace?.id ?? '', name: 'main' }, 'cli:test');
    for (let index = 0; index < 7; index++) {
      await service.app.inject({
        method: 'POST',
        url: '/api/decode',
        headers: { 'x-api-key': key },
        payload: { vin: '1HGCM82633A004352' },
      });
    }
    await receiver.untilGot(2);
    const events = receiver.got
      .map((got) => verified(secret, got).data)
      .toSorted((a, b) => Number(a['used']) - Number(b['used']));
    const month = /^\d{4}-\d\d-01T00:00:00\.000Z$/;
    const times = { windowStart: expect.stringMatching(month), resetAt: expect.stringMatching(month) };
    expect(events).toEqual([
      { percent: 80, limit: 5, used: 4, ...times },
      { percent: 100, limit: 5, used: 5, ...times },
    ]);
  });

  test('the sender of a report is notified when it is decided', async () => {
    const { secret } = await create(['report.decided']);
    await owner.post('/portal/ada-motors/reports', {
      vin: '1HGCM82633A004352',
      expectedManufacturer: 'Honda',
      expectedModel: 'Accord',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
      note: 'It has two doors.',
    });
    const report = await service.database.kysely
      .selectFrom('correction_reports')
      .select('id')
      .executeTakeFirstOrThrow();
    const { corrections, live } = await correctionsOn(service.database);
    await corrections.reject(report.id, { by: 'admin:root@example.com', reason: 'It has four.' });
    await live.close();
    await receiver.untilGot(1);
    const [got] = receiver.got;
    expect(await described(got, secret)).toMatchObject({
      type: 'report.decided',
      data: { reportId: report.id, vin: '1HGCM82633A004352', state: 'rejected', reason: 'It has four.' },
    });
  });

  test('a webhook is changed, rotated, disabled, enabled and removed, and the audit log knows', async () => {
    const { path, secret } = await create();
    const changed = await owner.submit(path, { url: `${receiver.url}/secret-path`, event: 'usage.threshold' });
    expect(changed.body).toContain('Saved.');
    const rotated = secretIn((await owner.submit(`${path}/rotate`)).body);
    expect(rotated).not.toBe(secret);
    await owner.post(`${path}/disable`);
    const refused = await owner.post(`${path}/test`);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Enable it first');
    await owner.post(`${path}/enable`);
    await owner.post(`${path}/test`);
    await receiver.untilGot(1);
    const [got] = receiver.got;
    if (got === undefined) throw new Error('Nothing came.');
    expect(verified(rotated, got)).toEqual(verified(secret, got));
    expect((await owner.post(`${path}/remove`)).headers['location']).toBe(PAGE);
    expect((await owner.get(path)).statusCode).toBe(404);
    const audit = await auditActions();
    expect(audit.map(({ action }) => action)).toEqual(
      ['created', 'changed', 'rotated', 'disabled', 'enabled', 'disabled', 'removed'].map((what) => `webhook.${what}`),
    );
    expect(new Set(audit.map(({ actor }) => actor))).toEqual(new Set(['person:ada@example.com']));
    expect(JSON.stringify(audit)).not.toMatch(/secret-path|whsec_/);
  });

  test('deliveries are listed a page at a time, the newest first', async () => {
    const { path } = await create();
    const workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
    const now = Date.now();
    for (let number = 0; number < 60; number++)
      await emitEvent(service.database, workspaceId, number, now + Math.floor(number / 7));
    const listed: string[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { body } = await owner.get(next);
      listed.push([...body.matchAll(/Show the event (msg-[\w-]+)"/g)].map(([, id = '']) => id));
      next = /href="([^"]+)">Older deliveries/.exec(body)?.[1];
    }
    expect(listed.map(({ length }) => length)).toEqual([25, 25, 10]);
    const stored = await service.database.kysely
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .orderBy('created_at', 'desc')
      .orderBy('event_id', 'desc')
      .execute();
    expect(listed.flat()).toEqual(stored.map(({ event_id: id }) => id));
  });

  test('failed deliveries can be sent again, but not without limit', async () => {
    receiver.treat((response) => void response.writeHead(410).end());
    const { path } = await create();
    await owner.post(`${path}/test`);
    await until(async () => (await owner.get(path)).body.includes('410 Gone'));
    const eventId = receiver.got[0]?.id ?? '';
    receiver.treat((response) => void response.writeHead(204).end());
    expect((await owner.post(`${path}/deliveries/${eventId}/again`)).statusCode).toBe(422);
    await owner.post(`${path}/enable`);
    expect((await owner.post(`${path}/deliveries/${eventId}/again`)).statusCode).toBe(303);
    await receiver.untilGot(2);
    expect(receiver.got[1]?.id).toBe(eventId);
    await until(async () => (await owner.get(path)).body.includes('>delivered<'));
    expect((await owner.post(`${path}/deliveries/${eventId}/again`)).statusCode).toBe(422);
    const answers: number[] = [];
    for (let index = 0; index < 25; index++) answers.push((await owner.post(`${path}/test`)).statusCode);
    expect(answers).toContain(422);
  });

  test('a refused form says what to change, and keeps the values typed', async () => {
    const without = await owner.post(PAGE, { url: 'ftp://example.com/<b>' });
    expect(without.statusCode).toBe(422);
    expect(without.body).toContain('must begin with https://');
    expect(without.body).toContain('Choose at least one event.');
    expect(without.body).toContain('ftp://example.com/&lt;b>');
    for (let index = 0; index < 10; index++) await create(ALL, `/${index}`);
    const fields = new URLSearchParams({ url: receiver.url, event: 'report.decided' });
    const eleventh = await owner.post(PAGE, fields);
    expect(eleventh.statusCode).toBe(422);
    expect(eleventh.body).toContain('Remove one of the 10 webhooks first.');
  });

  test('one receiver is entered once, with any query: not by many at once, and not by changing another one', async () => {
    const urls = ['', '?a', '?b#c', '?', '?d', '?e'].map((end) => receiver.url + end);
    const statuses = (await Promise.all(urls.map(enter))).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 422, 422, 422, 422, 422]);
    expect((await enter(`${receiver.url}?f`)).body).toContain('Another webhook of this workspace has this URL');
    const { path } = await create(ALL, '/other');
    const change = (url: string) => owner.post(path, new URLSearchParams({ url, event: 'report.decided' }));
    expect((await change(`${receiver.url}?g`)).statusCode).toBe(422);
    expect((await change(`${receiver.url}/other?kept`)).statusCode).toBe(303);
    const rows = await service.database.kysely.selectFrom('webhook_endpoints').select('url').execute();
    expect(rows).toHaveLength(2);
  });

  test('a member may do what an owner may', async () => {
    await owner.post('/portal/ada-motors/members', { email: 'bob@example.com', role: 'member' });
    const link = lastLink(service.logged(), '/invitations');
    const bob = new Reader(service.app);
    await bob.post(link, { name: 'Bob', password: PASSWORD });
    const { path } = await create();
    expect((await bob.get(path)).statusCode).toBe(200);
    expect((await bob.submit(`${path}/rotate`)).body).toContain('whsec_');
  });
});

test('without WEBHOOK_ALLOW_PRIVATE neither http nor this machine is taken', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  for (const url of ['http://example.com/', 'https://127.0.0.1:8443/', 'https://localhost:8443/']) {
    expect((await owner.post(PAGE, { url, event: 'report.decided' })).statusCode).toBe(422);
  }
  expect((await owner.post(PAGE, { url: 'https://example.com/', event: 'report.decided' })).statusCode).toBe(303);
});
