import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { createElement } from 'preact';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { until } from '../../testing/until.ts';
import { tagAnswers } from '../http/etag.ts';
import { CachedPages } from './html.tsx';
import { PostForm } from './post-form.tsx';

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
    if (request.headers.cookie !== undefined) request.viewer = { id: request.headers.cookie, isAdministrator: false };
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
  const forms = new CachedPages();
  app.get('/form', (request, reply) =>
    forms.send(reply, '/form', () => {
      made += 1;
      return { title: 'Form', isPublic: request.viewer === undefined, children: createElement(PostForm, {}) };
    }),
  );
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

test('signed-in people share a page of their own, which nobody else gets', async () => {
  await get('/long');
  const own = await get('/long', { cookie: 'ada' });
  expect(own.body).toContain('Sign out');
  expect(own.headers['cross-origin-opener-policy']).toBe('same-origin');
  expect((await get('/long')).body).not.toContain('Sign out');
  const other = await get('/long', { cookie: 'grace', 'accept-encoding': 'br' });
  expect(brotliDecompressSync(other.rawPayload).toString()).toBe(own.body);
  expect(made).toBe(2);
});

test('forms of a page that people share name the person who reads it', async () => {
  for (const person of ['ada', 'grace', 'ada']) {
    const { body, headers } = await get('/form', { cookie: person, 'accept-encoding': 'br' });
    expect(/name="viewer" value="(.*?)"/.exec(body)?.[1]).toBe(person);
    expect([headers['content-encoding'], headers['etag']]).toEqual([undefined, undefined]);
  }
  expect((await get('/form')).body).not.toContain('name="viewer"');
  expect(made).toBe(2);
});

test('a page that is kept for a time is made anew after it', async () => {
  expect((await get('/short')).body).toContain('Made 1 times');
  await until(async () => (await get('/short')).body.includes('Made 2 times'));
});
