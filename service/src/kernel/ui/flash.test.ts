import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FlashMessages } from './flash.ts';

let app: FastifyInstance;

beforeEach(() => {
  const flash = new FlashMessages('one secret', false);
  app = fastify();
  app.post('/act', (_request, reply) => flash.redirect(reply, '/page?made=1', { key: 'mq_live_secret' }));
  app.get('/page', (_request, reply) => reply.send(flash.take(reply) ?? {}));
});

afterEach(() => app.close());

const act = async (): Promise<string> => {
  const answer = await app.inject({ method: 'POST', url: '/act' });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/page?made=1']);
  return String(answer.headers['set-cookie']);
};
const read = (cookie: string, url = '/page?made=1') =>
  app.inject({ url, headers: { cookie: `other=1; ${cookie.replace(/;.*/s, '')}` } });

test('a message reaches the page that a form leads to, and is taken from the browser with it', async () => {
  const page = await read(await act());
  expect(page.json()).toEqual({ key: 'mq_live_secret' });
  expect(page.headers['set-cookie']).toContain('marque.flash=; Max-Age=0');
});

test('a message waits for its page, even if other pages are loaded meanwhile', async () => {
  const other = await read(await act(), '/page');
  expect(other.json()).toEqual({});
  expect(other.headers['set-cookie']).toBeUndefined();
});

test('a browser cannot read its content, and a forged or changed message is ignored', async () => {
  const cookie = await act();
  expect(Buffer.from(cookie.replace(/^.*?=|;.*/gs, ''), 'base64url').toString('latin1')).not.toContain('mq_live');
  for (const forged of [
    'marque.flash=x',
    'marque.flash=',
    cookie.replace(/=./, (text) => (text === '=A' ? '=B' : '=A')),
  ]) {
    expect((await read(forged)).json()).toEqual({});
  }
});
