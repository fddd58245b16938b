import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { decoder, talkativeDecoder } from '../testing/decoder.ts';
import { testService, type TestService } from '../testing/service.ts';
import { metadataFor } from './depth.ts';

const VIN = '1HGCM82633A004352';
const BASIC = {
  vin: VIN,
  wmi: '1HG',
  vds: 'CM8263',
  manufacturer: 'Honda',
  model: 'Accord',
  bodyStyle: 'Coupe',
  bodyStyleNormalized: 'coupe',
  modelYear: '2003',
  region: 'North America',
};

interface Body {
  report: object;
  usage: { resetAt: string };
  metadata?: object;
}

let service: TestService;

beforeEach(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '3', PLAN_LIMIT_STARTER: '2' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const decode = (headers: Record<string, string> = {}, vin = VIN) =>
  service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });

describe('a decode', () => {
  test('without a key is public: the nine basic fields, usage, and no metadata', async () => {
    const response = await decode();
    expect(response.statusCode).toBe(200);
    const { report, usage, ...rest } = response.json<Body>();
    expect(report).toEqual(BASIC);
    expect(usage).toEqual({ limit: 3, remaining: 2, resetAt: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/) });
    expect(rest).toEqual({});
    expect(response.headers).toMatchObject({
      'x-service-auth': 'public',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': String(Date.parse(usage.resetAt) / 1000),
    });
    expect(response.headers).not.toHaveProperty('x-service-client');
  });

  test('with a paid key has all known fields', async () => {
    const response = await decode({ 'x-api-key': await service.keyFor('business') });
    expect(response.headers).toMatchObject({ 'x-service-auth': 'subscriber', 'x-service-client': 'business' });
    const { report, usage, metadata } = response.json<Body>();
    expect(report).toEqual(decoder.decode(VIN));
    expect(report).toMatchObject({ ...BASIC, vis: '3A004352', specs: { plantCity: 'Marysville' } });
    expect(usage).toEqual({ limit: 5000, remaining: 4999, resetAt: expect.any(String) });
    expect(metadata).toEqual(metadataFor('business', decoder.decode(VIN)));
  });

  test('with a free key has the basic fields and names those that a paid plan would add', async () => {
    const response = await decode({ authorization: `Bearer ${await service.keyFor('free')}` });
    const { report, usage, metadata } = response.json<Body>();
    expect(report).toEqual(BASIC);
    expect(usage).toEqual({ limit: 100, remaining: 99, resetAt: expect.any(String) });
    expect(metadata).toEqual(metadataFor('free', decoder.decode(VIN)));
    expect(metadata).toMatchObject({ plan: 'free', upgradeAvailable: true });
  });

  test('lets nothing out that the response schema does not list, at any depth', async () => {
    await using talkative = await testService({}, talkativeDecoder);
    const headers = { 'x-api-key': await talkative.keyFor('enterprise') };
    const response = await talkative.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: VIN } });
    expect(response.json<Body>().report).toEqual(decoder.decode(VIN));
    expect(response.body).not.toMatch(/confidence|internal|sources/);
  });

  test('without a limit has null in the body and unlimited in the headers', async () => {
    const response = await decode({ 'x-api-key': await service.keyFor('enterprise') });
    expect(response.json()).toMatchObject({
      usage: { limit: null, remaining: null, resetAt: expect.any(String) },
      metadata: { plan: 'enterprise', upgradeAvailable: false },
    });
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': 'unlimited', 'x-ratelimit-remaining': 'unlimited' });
  });

  test('of an unknown vehicle has its segments, names no manufacturer, and is charged', async () => {
    const response = await decode({}, 'ZZZ00000000000000');
    expect(response.json()).toMatchObject({
      report: { vin: 'ZZZ00000000000000', wmi: 'ZZZ', vds: '000000', bodyStyleNormalized: 'unknown' },
    });
    expect(response.json<Body>().report).not.toHaveProperty('manufacturer');
    expect(await service.charged()).toBe(1);
  });

  test('is stored under its X-Request-Id, at full depth', async () => {
    const response = await decode();
    const id = String(response.headers['x-request-id']);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const stored = await service.database.kysely.selectFrom('decodes').selectAll().where('id', '=', id).execute();
    expect(stored).toMatchObject([{ vin: VIN, outcome: 'identified', charged: 1 }]);
    expect(JSON.parse(stored[0]?.report ?? '')).toEqual(decoder.decode(VIN));
  });

  test('reads the VIN however it is cased and spaced, and ignores fields it does not know', async () => {
    const payload = { vin: ' 1hg-cm8263 3a004352 ', colour: 'red' };
    const response = await service.app.inject({ method: 'POST', url: '/api/decode', payload });
    expect(response.json()).toMatchObject({ report: { vin: VIN } });
  });

  test('wears the configured brand in its headers', async () => {
    await using branded = await testService({ HEADER_BRAND: 'Marque' });
    const key = await branded.keyFor('starter');
    const headers = { 'x-api-key': key };
    const response = await branded.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: VIN } });
    expect(response.headers).toMatchObject({ 'x-marque-auth': 'subscriber', 'x-marque-client': 'starter' });
    expect(response.headers).not.toHaveProperty('x-service-auth');
  });
});

describe('when the month is used up', () => {
  test('public callers get 429 with the same headers, the numbers in the body, and no report', async () => {
    for (let count = 0; count < 3; count++) expect((await decode()).statusCode).toBe(200);
    const response = await decode();
    expect(response.statusCode).toBe(429);
    const { resetAt, ...body } = response.json<{ resetAt: string }>();
    expect(body).toEqual({ error: expect.stringContaining('monthly limit of 3'), limit: 3, remaining: 0 });
    expect(response.headers).toMatchObject({
      'x-service-auth': 'public',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse(resetAt) / 1000),
    });
    expect(response.headers).not.toHaveProperty('x-request-id');
    expect(await service.charged()).toBe(3);
  });

  test('subscribers get 429 under their name, while public callers still have their own month', async () => {
    const headers = { 'x-api-key': await service.keyFor('starter') };
    expect((await decode(headers)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await decode(headers)).headers['x-ratelimit-remaining']).toBe('0');
    const response = await decode(headers);
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({ 'x-service-auth': 'subscriber', 'x-service-client': 'starter' });
    expect((await decode()).statusCode).toBe(200);
  });

  test('a limit of 0 lets nothing through', async () => {
    const headers = { 'x-api-key': await service.keyFor('business', { kind: 'fixed', limit: 0 }) };
    const response = await decode(headers);
    expect(response.statusCode).toBe(429);
    expect(response.json()).toMatchObject({ limit: 0, remaining: 0 });
  });

  test('a malformed VIN is still answered with its fault', async () => {
    for (let count = 0; count < 3; count++) await decode();
    expect((await decode({}, 'short')).statusCode).toBe(400);
  });

  test('of many callers at once exactly as many are answered as the limit lets', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => decode()));
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    expect(await service.charged()).toBe(3);
  });
});

const once = (key: string, vin = VIN, headers = {}) => decode({ 'idempotency-key': key, ...headers }, vin);

describe('with an Idempotency-Key', () => {
  test('a record that another version wrote makes a repeated request the first one, once', async () => {
    await once('earlier');
    for (const outcome of ['decode', '[null]']) {
      await service.database.kysely.updateTable('idempotency').set({ outcome }).execute();
      const [one, other] = await Promise.all([once('earlier'), once('earlier')]);
      expect([one.statusCode, other.statusCode]).toContain(200);
      expect((await once('earlier')).headers['idempotency-replayed']).toBe('true');
    }
    expect(await service.charged()).toBe(3);
  });

  test('a repeated request gets the same answer and is charged once', async () => {
    const first = await once('order-1');
    await decode();
    const again = await once('order-1', ` ${VIN.toLowerCase()}`);
    expect(again.json()).toEqual(first.json());
    // The catalog may have been replaced in between.
    expect([first, again].map(({ headers }) => 'x-catalog-version' in headers)).toEqual([true, false]);
    for (const name of ['x-request-id', 'x-ratelimit-remaining', 'x-service-auth']) {
      expect(again.headers[name]).toBe(first.headers[name]);
    }
    expect(await service.charged()).toBe(2);
  });

  test('the same key means nothing for another caller, and cannot be used for another VIN', async () => {
    await once('order-1');
    expect((await once('order-1', 'ZZZ00000000000000')).statusCode).toBe(422);
    const headers = { 'x-api-key': await service.keyFor('business') };
    expect((await once('order-1', 'ZZZ00000000000000', headers)).statusCode).toBe(200);
    expect(await service.charged()).toBe(2);
  });

  test('of requests at once one is charged, and the others get its answer or a conflict', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => once('order-1')));
    const statuses = new Set(responses.map(({ statusCode }) => statusCode));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
    expect(await service.charged()).toBe(1);
  });

  test('a refused request uses no key up', async () => {
    const headers = { 'x-api-key': await service.keyFor('business', { kind: 'fixed', limit: 0 }) };
    expect((await once('order-1', VIN, headers)).statusCode).toBe(429);
    expect((await once('order-1', 'malformed')).statusCode).toBe(400);
    expect((await once('order-1')).statusCode).toBe(200);
  });

  test('a text that cannot be a key is refused', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256)]) expect((await once(key)).statusCode).toBe(400);
    expect(await service.charged()).toBe(0);
  });
});

test('the documented one-liner of curl, which sends no JSON content type, is understood', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/decode',
    headers,
    payload: `{"vin":"${VIN}"}`,
  });
  expect(response.json()).toMatchObject({ report: { model: 'Accord', modelYear: '2003' } });
});

test('a whole run leaves no key, and no more of a VIN than its first 11 characters, in the log', async () => {
  const key = await service.keyFor('business');
  await decode({ 'x-api-key': key });
  await decode({ authorization: key });
  await decode({ 'x-api-key': `${key}x` });
  await decode({}, VIN.toLowerCase());
  await service.app.inject(`/api/vin/${VIN}`);
  await service.app.inject(`/nowhere/${VIN}?key=${key}`);
  await service.database.kysely.schema.dropTable('decodes').execute();
  const failed = await decode();
  expect(failed.statusCode).toBe(500);
  expect(failed.json()).toEqual({ error: 'The service failed. This is our fault. Try again.' });
  expect(service.logged()).toContain('request failed');
  expect(service.logged()).not.toContain(key.slice(0, 20));
  expect(service.logged().toUpperCase()).not.toContain(VIN.slice(0, 12));
});
