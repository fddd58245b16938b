import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Caller } from './index.ts';
import { subscriber } from '../../testing/usage.ts';
import { until } from '../../testing/until.ts';
import { shedLoad } from './admission.ts';
import { authenticate, decorateCaller } from './authenticate.ts';
import { answerError } from '../../platform/http/errors.ts';

const CALLERS: Record<string, Caller> = {
  public: { kind: 'public', clientId: 'somebody', limit: 50 },
  free: subscriber('free', 100),
  paid: { ...subscriber('paid', null), plan: 'starter' },
};

let app: FastifyInstance;
let open: PromiseWithResolvers<void>;
let arrived: number;
let identified: number;

const who = async ({ headers }: { headers: Record<string, unknown> }): Promise<Caller> => {
  identified += 1;
  const caller = CALLERS[String(headers['x-who'])];
  if (caller === undefined) throw new Error('No caller.');
  return caller;
};

beforeEach(() => {
  open = Promise.withResolvers();
  arrived = 0;
  identified = 0;
  app = fastify();
  app.setErrorHandler(answerError);
  decorateCaller(app);
  shedLoad(app, { 'x-always': 'there' }, { most: 10, holdMs: 1 });
  for (const path of ['/one', '/batch', '/api/one', '/api/batch']) {
    app.post(path, { onRequest: authenticate({ identify: who }) }, async () => {
      arrived += 1;
      await open.promise;
      return { ok: true };
    });
  }
  app.get('/healthz', () => ({ status: 'ok' }));
});

afterEach(() => app.close());

const ask = (who: string, path = '/one') => app.inject({ method: 'POST', url: path, headers: { 'x-who': who } });

/** Sends requests until one is shed. @returns how many were let in. */
async function fillWith(who: string, path?: string): Promise<number> {
  const before = arrived;
  for (;;) {
    const known = arrived;
    let answer: Awaited<ReturnType<typeof ask>> | undefined;
    void ask(who, path).then((got) => (answer = got));
    await until(async () => arrived > known || answer !== undefined);
    if (answer === undefined) continue;
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    return arrived - before;
  }
}

test('where too many are under way, the public is shed first, then batches, then free, then paid', async () => {
  expect(await fillWith('public')).toBe(4);
  expect(await fillWith('paid', '/batch')).toBe(2);
  expect(await fillWith('public')).toBe(0);
  expect(await fillWith('free')).toBe(2);
  expect(await fillWith('paid', '/batch')).toBe(0);
  expect(await fillWith('paid')).toBe(2);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  open.resolve();
  await until(async () => (await ask('public')).statusCode === 200);
});

/** Sends a request over a socket of its own, whole or without its body. */
async function send(origin: string, isWhole: boolean): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  const start = 'POST /one HTTP/1.1\r\nHost: x\r\nx-who: public\r\nContent-Type: application/json\r\n';
  socket.write(`${start}Content-Length: 2\r\n\r\n${isWhole ? '{}' : '{'}`);
  return socket;
}

test('who is slow to send takes no place, and who has gone gives it back', async () => {
  const origin = await app.listen({ port: 0 });
  const slow = await Promise.all(Array.from({ length: 12 }, async () => send(origin, false)));
  const gone = await Promise.all(Array.from({ length: 4 }, async () => send(origin, true)));
  await until(async () => arrived === 4);
  for (const socket of gone) socket.destroy();
  open.resolve();
  await until(async () => (await ask('public')).statusCode === 200);
  open = Promise.withResolvers();
  expect(await fillWith('public')).toBe(4);
  for (const socket of slow) socket.destroy();
  open.resolve();
});

test('over a connection, who needs not be known better is shed before anything is done for them', async () => {
  const origin = await app.listen({ port: 0 });
  const post = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(origin + path, { method: 'POST', headers });
  const keyed = { 'x-who': 'paid', 'x-api-key': 'a' };
  const waiting = Array.from({ length: 6 }, async () => (await post('/api/one', keyed)).status);
  await until(async () => arrived === 6);
  const refused = [await post('/api/one', { 'x-who': 'public' }), await post('/api/batch', keyed)];
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('x-always')).toBe('there');
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  }
  expect(identified).toBe(6);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  const last = post('/api/one', keyed);
  await until(async () => arrived === 7);
  open.resolve();
  expect(await Promise.all(waiting)).toEqual(Array(6).fill(200));
  expect((await last).status).toBe(200);
});

test('clients that reset their connection at any moment leave no place taken', async () => {
  const origin = await app.listen({ port: 0 });
  open.resolve();
  for (let round = 0; round < 30; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 4 }, async () => send(origin, true)));
    // One resets at once, the others while their request is read, handled or answered.
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.resetAndDestroy();
      await new Promise(setImmediate);
    }
  }
  await until(async () => (await ask('public')).statusCode === 200);
  expect((await ask('public')).statusCode).toBe(200);
});
