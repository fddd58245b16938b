import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { until } from '../../testing/until.ts';
import { tagAnswers } from '../http/etag.ts';
import { CachedPages } from './html.tsx';

/** The time for which pages at /short are cached. */
const KEPT_MS = 50;

let app: FastifyInstance;
let made: number;

beforeEach(() => {
  made = 0;
  app = fastify();
  tagAnswers(app);
  app.decorateRequest('viewer', undefined);
  app.addHook('onRequest', async (request) => {
    if (request.headers.cookie !== undefined) request.viewer = { id: 'ada', isAdministrator: false };
  });
  for (const [url, kept] of [
    ['/long', new CachedPages()],
    ['/short', new CachedPages(KEPT_MS)],
  ] as const) {
    app.get(url, { config: { etag: url === '/long' } }, (_request, reply) =>
      kept.send(reply, url, () => {
        made += 1;
        return { title: 'Kept', isPublic: true, runsWasm: true, children: `Made ${made} times` };
      }),
    );
  }
});

afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test('a public page is made once, for all encodings', async () => {
  const plain = await get('/long');
  expect(plain.body).toContain('Made 1 times');
  expect(plain.headers['content-security-policy']).toContain('wasm-unsafe-eval');
  const [small, smaller] = [
    await get('/long', { 'accept-encoding': 'gzip' }),
    await get('/long', { 'accept-encoding': 'gzip;q=0, br' }),
  ];
  expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body);
  expect(brotliDecompressSync(smaller.rawPayload).toString()).toBe(plain.body);
  for (const answer of [plain, small, smaller]) expect(answer.headers['vary']).toBe('accept-encoding');
  expect(made).toBe(1);
});

test('a client that has a cached page already gets no second one', async () => {
  const { headers } = await get('/long');
  expect(headers['etag']).toMatch(/^W\/"/);
  expect((await get('/long', { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
  expect((await get('/long', { 'if-none-match': 'W/"another"' })).statusCode).toBe(200);
});

test('a signed-in person gets a page of their own, which nobody else gets', async () => {
  await get('/long');
  const own = await get('/long', { cookie: 'session' });
  expect(own.body).toContain('Sign out');
  expect(own.headers['cross-origin-opener-policy']).toBe('same-origin');
  expect((await get('/long')).body).not.toContain('Sign out');
  expect(made).toBe(2);
});

test('a page that is kept for a time is made anew after it', async () => {
  expect((await get('/short')).body).toContain('Made 1 times');
  await until(async () => (await get('/short')).body.includes('Made 2 times'));
});
