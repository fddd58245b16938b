import { Readable } from 'node:stream';
import zlib, { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { makeNothingForHead } from './encodings.ts';

const VIN = '1HGCM82633A004352';
const JSON_TYPE = { 'content-type': 'application/json' };

let service: TestService;
/** Decodes that were charged before the test. */
let before: number;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  before = await service.charged();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const get = (url: string, headers = {}) => service.app.inject({ method: 'GET', url, headers });
const decode = (payload: string | Buffer, headers = {}) =>
  service.app.inject({ method: 'POST', url: '/api/decode', headers: { ...JSON_TYPE, ...headers }, payload });

describe('answers', () => {
  test.each(['/openapi.json', '/api/vehicles/GetVehicleVariableList?format=json', '/docs'])(
    '%s is compressed for clients that accept it, and is the same',
    async (url) => {
      const plain = await get(url);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const brotli = await get(url, { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers).toMatchObject({
        'content-encoding': 'br',
        vary: expect.stringMatching(/accept-encoding/i),
      });
      expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
      const gzip = await get(url, { 'accept-encoding': 'gzip' });
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
      expect(gzip.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    },
  );

  test('an answer for everybody is compressed once, however often it is asked for', async () => {
    const compressing = [vi.spyOn(zlib, 'brotliCompress'), vi.spyOn(zlib, 'createBrotliCompress')];
    const url = '/api/vehicles/GetVehicleVariableList?format=xml';
    await get(url);
    const asked = Array.from({ length: 20 }, () => get(url, { 'accept-encoding': 'br' }));
    for (const { headers } of await Promise.all(asked)) expect(headers['content-encoding']).toBe('br');
    await get(url, { 'accept-encoding': 'br' });
    expect(compressing.map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    vi.restoreAllMocks();
  });

  test("a workspace's own answer is compressed, and no copy of it is kept", async () => {
    await using other = await testService();
    const headers = { 'x-api-key': await other.keyFor('business'), 'accept-encoding': 'br' };
    const report = { vin: VIN, expectedManufacturer: 'Honda', expectedModel: 'Civic', expectedBodyStyle: 'sedan' };
    const payload = { ...report, expectedModelYear: '2003', note: 'x'.repeat(1_500) };
    await other.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload });
    const compressing = vi.spyOn(zlib, 'brotliCompress');
    for (const times of [1, 2]) {
      const answer = await other.app.inject({ url: '/api/reports', headers });
      expect(answer.headers).toMatchObject({ 'content-encoding': 'br', etag: expect.any(String) });
      expect(brotliDecompressSync(answer.rawPayload).toString()).toContain(payload.note);
      expect(compressing).toHaveBeenCalledTimes(times);
    }
    vi.restoreAllMocks();
  });

  test('four answers are compressed at once, and the others are sent as they are', async () => {
    const headers = { ...JSON_TYPE, 'accept-encoding': 'br' };
    const payload = JSON.stringify({ vins: Array<string>(8).fill('no VIN') });
    const finish: (() => unknown)[] = [];
    vi.spyOn(zlib, 'brotliCompress').mockImplementation((...parts: unknown[]) => {
      const done = parts.at(-1);
      if (typeof done === 'function') finish.push(() => done(null, Buffer.from('compressed')));
    });
    const ask = () => service.app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload });
    const first = [ask(), ask(), ask(), ask()];
    await until(async () => finish.length === 4);
    expect((await ask()).json()).toMatchObject({ charged: 0 });
    for (const end of finish) end();
    for (const { body } of await Promise.all(first)) expect(body).toBe('compressed');
    vi.restoreAllMocks();
  });

  test('a short answer, a decode and a page with secrets are sent as they are', async () => {
    const asked = { 'accept-encoding': 'gzip, br' };
    for (const answer of [
      await get(`/api/vin/${VIN}`, asked),
      await decode(`{"vin":"${VIN}"}`, asked),
      await get('/sign-in', asked),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).not.toHaveProperty('content-encoding');
    }
  });

  test('a long batch is compressed', async () => {
    const payload = JSON.stringify({ vins: Array<string>(8).fill(VIN) });
    const headers = { ...JSON_TYPE, 'accept-encoding': 'gzip' };
    const answer = await service.app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toMatchObject({ charged: 8 });
  });

  test.each([
    '/openapi.json',
    '/api/vehicles/GetAllMakes?format=csv',
    '/api/vehicles/DecodeWMI/1HG',
    '/docs',
    '/api/catalog',
  ])('%s is not sent again to who has it', async (url) => {
    const first = await get(url, { 'accept-encoding': 'br' });
    const tag = String(first.headers['etag']);
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    for (const known of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': known });
      expect(again.statusCode).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
      expect(again.headers['etag']).toBe(tag);
      const head = await service.app.inject({
        method: 'HEAD',
        url,
        headers: { 'accept-encoding': 'br', 'if-none-match': known },
      });
      expect({ status: head.statusCode, tag: head.headers['etag'], body: head.body }).toEqual({
        status: 304,
        tag,
        body: '',
      });
      expect(head.headers).not.toHaveProperty('content-length');
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});

describe('bodies', () => {
  test('a compressed body is read', async () => {
    const answer = await decode(gzipSync(`{"vin":"${VIN}"}`), { 'content-encoding': 'gzip' });
    expect(answer.json()).toMatchObject({ report: { vin: VIN } });
  });

  test('the unpacked size of a body is limited', async () => {
    const bomb = gzipSync(`{"vin":"${'A'.repeat(2 ** 24)}"}`);
    const answer = await decode(bomb.subarray(0, bomb.length), { 'content-encoding': 'gzip' });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toEqual({ error: 'The body is too large: this address takes at most 16,384 bytes.' });
    expect(await service.charged()).toBe(before);
  });

  test('a request without a body may say any encoding', async () => {
    expect((await get('/api/catalog', { 'content-encoding': 'compress' })).statusCode).toBe(200);
  });

  test.each([
    ['an encoding that is not known', 'compress', 415],
    ['a body that is not what it says', 'gzip', 400],
  ])('%s is refused', async (_, encoding, status) => {
    const answer = await decode(`{"vin":"${VIN}"}`, { 'content-encoding': encoding });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ error: expect.stringContaining('Content-Encoding') });
    expect(await service.charged()).toBe(before);
  });
});

test('an address with a slash at its end is the one without', async () => {
  const answer = await service.app.inject({ method: 'POST', url: '/api/decode/', payload: { vin: VIN } });
  expect(answer.json()).toMatchObject({ report: { vin: VIN } });
  expect((await get('/api/decode/')).statusCode).toBe(405);
});

test('an empty key is refused in any place, and is not a public request', async () => {
  const key = await service.keyFor('starter');
  for (const headers of [
    { 'x-api-key': '' },
    { 'x-api-key': ' ' },
    { 'x-api-key': '', authorization: `Bearer ${key}` },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer' },
    { authorization: '' },
  ]) {
    const answer = await decode(`{"vin":"${VIN}"}`, headers);
    expect([answer.statusCode, answer.headers['x-service-auth']]).toEqual([401, undefined]);
  }
  expect(await service.charged()).toBe(before);
});

test.each([
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'text/csv',
  'application/octet-stream',
  'json',
  'a/b/c',
  '',
])('JSON is read as JSON under the label "%s", and nothing else is', async (type) => {
  expect((await decode(`{"vin":"${VIN}"}`, { 'content-type': type })).statusCode).toBe(200);
  const refused = await decode('vin=1', { 'content-type': type });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error: 'The body is not valid JSON.' });
});

test('a repeated request is marked as such, and has the ids of the first', async () => {
  const repeated = { 'idempotency-key': 'one' };
  const first = await decode(`{"vin":"${VIN}"}`, repeated);
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  const again = await decode(`{"vin":"${VIN}"}`, repeated);
  expect(again.headers).toMatchObject({
    'idempotency-replayed': 'true',
    'x-request-id': first.headers['x-request-id'],
  });
  const payload = {
    vin: VIN,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord',
    expectedBodyStyle: 'Sedan',
    expectedModelYear: '2003',
    note: 'A note.',
  };
  const report = () =>
    service.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers: repeated, payload });
  const sent = await report();
  const stored = await service.database.kysely.selectFrom('correction_reports').select('id').execute();
  expect(stored).toEqual([{ id: sent.headers['x-report-id'] }]);
  expect(sent.headers).not.toHaveProperty('idempotency-replayed');
  expect((await report()).headers).toMatchObject({
    'idempotency-replayed': 'true',
    'x-report-id': sent.headers['x-report-id'],
  });
});

test('every decode names its catalog', async () => {
  const { version, counts } = (await get('/api/catalog')).json<{ version: string; counts: { wmis: number } }>();
  expect(counts.wmis).toBeGreaterThan(10_000);
  expect((await decode(`{"vin":"${VIN}"}`)).headers['x-catalog-version']).toBe(version);
  expect((await get(`/api/vehicles/DecodeVin/${VIN}?format=json`)).headers['x-catalog-version']).toBe(version);
});

test('HEAD of a long answer has the headers of GET, and makes none of its content', async () => {
  const app = fastify();
  makeNothingForHead(app);
  let made = 0;
  async function* pages(): AsyncGenerator<string> {
    for (; made < 100; made++) yield 'page';
  }
  app.get('/', async (_, reply) => reply.type('text/csv').send(Readable.from(pages())));
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect([head.statusCode, head.headers['content-type']]).toEqual([200, 'text/csv']);
  expect(made).toBe(0);
  expect((await app.inject('/')).body).toHaveLength(400);
  await app.close();
});
