import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { subscriber } from '../metering/testing/usage.ts';
import { until } from '../testing/until.ts';
import { type AdmissionBounds, shedLoad } from './admission.ts';
import { authenticate, decorateCaller } from './authenticate.ts';
import type { Caller } from './index.ts';
import type { Plan } from './plan.ts';

const CALLERS: Record<string, Caller> = {
  free: subscriber('free', 100),
  paid: { ...subscriber('paid', null), plan: 'starter' },
};
const PLANS: Record<string, Plan> = { free: 'free', paid: 'starter' };
const PUBLIC: Caller = { kind: 'public', clientId: 'somebody', limit: 50 };

const HEAD = 'POST /api/one HTTP/1.1\r\nHost: x\r\nx-api-key: free\r\nContent-Type: application/json\r\n';

/** The time that each request takes on the clock of admission. */
const TAKES_MS = 20;

let app: FastifyInstance;
let open: PromiseWithResolvers<void>;
let nowMs: number;
let healthTakesMs: number;
/** Health checks and decodes in the order in which they were served. */
let order: string[];
let connected: number;
let received: number;
let shed: string[];
let onServed: () => void;
/** The requests served, in order, and the number of connections accepted by then. */
let served: { kind: string; connected: number }[];

const planOf = (headers: IncomingHttpHeaders): Plan | undefined => PLANS[String(headers['x-api-key'])];

async function start(bounds: Partial<AdmissionBounds>): Promise<string> {
  app = fastify({ forceCloseConnections: true });
  decorateCaller(app, 'Service');
  shedLoad(app, {
    planOf,
    headers: { api: { 'x-always': 'there' }, other: { 'x-of': 'others' } },
    onShed: (kind) => void shed.push(kind),
    bounds: { connections: 1, ...bounds },
    now: () => nowMs,
  });
  const access = {
    identify: async ({ headers }: { headers: Record<string, unknown> }) =>
      CALLERS[String(headers['x-api-key'])] ?? PUBLIC,
  };
  for (const path of ['/api/one', '/api/batch']) {
    app.post(path, { onRequest: authenticate(access) }, async ({ headers, url }) => {
      nowMs += TAKES_MS;
      order.push('decode');
      served.push({ kind: url === '/api/batch' ? 'batch' : String(headers['x-api-key'] ?? 'public'), connected });
      await open.promise;
      return { ok: true };
    });
  }
  app.get('/healthz', () => {
    nowMs += healthTakesMs;
    order.push('health');
    return { status: 'ok' };
  });
  for (const path of ['/', '/portal', '/sign-in', '/sign-in/code']) {
    app.get(path, async ({ url }) => {
      nowMs += TAKES_MS;
      served.push({ kind: url, connected });
      onServed();
      return 'page';
    });
  }
  app.post('/mcp', { onRequest: authenticate(access) }, async ({ url }) => {
    served.push({ kind: url, connected });
    return { ok: true };
  });
  const origin = await app.listen({ port: 0 });
  app.server.on('connection', () => (connected += 1)).on('request', () => (received += 1));
  return origin;
}

beforeEach(() => {
  open = Promise.withResolvers();
  nowMs = 0;
  healthTakesMs = 0;
  order = [];
  connected = 0;
  received = 0;
  served = [];
  shed = [];
  onServed = () => {};
});

afterEach(() => app.close());

const post = (url: string, key?: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...(key && { 'x-api-key': key }), connection: 'close' } });

/** Fills the service, and has this many of each kind wait for their turn. */
async function fill(origin: string, most: number, each: number): Promise<Record<string, Promise<Response>[]>> {
  const first = Array.from({ length: most }, async () => post(`${origin}/api/one`, 'paid'));
  await until(async () => served.length === most);
  const many = (path: string, key?: string): Promise<Response>[] =>
    Array.from({ length: each }, async () => post(origin + path, key));
  const waiting = {
    public: many('/api/one'),
    batch: many('/api/batch', 'paid'),
    free: many('/api/one', 'free'),
    paid: many('/api/one', 'paid'),
  };
  await until(async () => received === most + 4 * each);
  served = [];
  return { first, ...waiting };
}

const connections = (): Promise<number> => promisify(app.server.getConnections.bind(app.server))();

const statuses = async (answers: Promise<Response>[] = []): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);

test('when requests take longer than there is time, paid callers are served, and those without a key shed', async () => {
  const origin = await start({ inProgress: 4, pendingMs: 1_000, few: 0 });
  const waiting = await fill(origin, 4, 20);
  // A second is enough for fifty of the eighty: all of paid plans and the free one, and some batches.
  open.resolve();
  expect(await statuses(waiting['paid'])).toEqual(Array(20).fill(200));
  expect(await statuses(waiting['free'])).toEqual(Array(20).fill(200));
  const batches = await statuses(waiting['batch']);
  expect(batches).toContain(200);
  expect(batches).toContain(503);
  expect(await statuses(waiting['public'])).toEqual(expect.arrayContaining([503]));
  for (const answer of await Promise.all(waiting['public'] ?? [])) {
    if (answer.status === 200) continue;
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('x-always')).toBe('there');
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  }
});

test('paid plans come before the free one, then batches, then those without a key, and one of sixteen is the next kind', async () => {
  const origin = await start({ inProgress: 1, pendingMs: 100_000 });
  const waiting = await fill(origin, 1, 10);
  open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
  const kinds = served.map(({ kind }) => kind);
  // Of forty, two places at most went to a later kind.
  expect(kinds.lastIndexOf('paid')).toBeLessThan(12);
  expect(kinds.lastIndexOf('free')).toBeLessThan(22);
  expect(kinds.lastIndexOf('batch')).toBeLessThan(32);
  expect(kinds.slice(0, 16)).toContain('free');
});

test('with few pending whose clients still wait, none is shed for a slow service until much later', async () => {
  const origin = await start({ inProgress: 1, pendingMs: 100, few: 8, fewPendingMs: 10_000 });
  const waiting = await fill(origin, 1, 2);
  const head = 'POST /api/one HTTP/1.1\r\nHost: x\r\n';
  const gone = await Promise.all(Array.from({ length: 20 }, async () => send(origin, true, head)));
  await until(async () => received === 29);
  for (const socket of gone) socket.destroy();
  await until(async () => (await connections()) === 9);
  open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
  expect(nowMs).toBeGreaterThan(100);
});

test('a request that waited while the process was suspended is not shed for it', async () => {
  const origin = await start({ inProgress: 1, pendingMs: 2_000, few: 0 });
  const waiting = await fill(origin, 1, 2);
  nowMs += 10_000;
  open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('health checks do not wait, however many do', async () => {
  const origin = await start({ inProgress: 2 });
  const waiting = await fill(origin, 2, 5);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(served).toEqual([]);
  open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('a flood of health checks takes its share of a turn, and leaves the rest to decodes', async () => {
  const origin = await start({ turnMs: 5, firstMs: 1 });
  open.resolve();
  healthTakesMs = 0.5;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const decode = 'POST /api/one HTTP/1.1\r\nHost: x\r\nX-Api-Key: paid\r\nContent-Length: 0\r\n\r\n';
  socket.write(health);
  await until(async () => order.length === 1);
  // By then no connection waits to be accepted.
  await nextTurn();
  await nextTurn();
  socket.write(health.repeat(20) + decode + health.repeat(20));
  await until(async () => order.length === 42);
  socket.destroy();
  expect(order.indexOf('decode')).toBe(1 + 2);
});

test('pages wait for all others, and calls of an assistant for those of any key', async () => {
  const origin = await start({ inProgress: 1, pendingMs: 100_000 });
  const first = post(`${origin}/api/one`, 'paid');
  await until(async () => served.length === 1);
  const ask = (path: string, method = 'GET') => fetch(origin + path, { method, headers: { connection: 'close' } });
  const pages = ['/', '/portal', '/', '/portal'].map((path) => ask(path));
  const calls = [post(`${origin}/mcp`, 'paid'), post(`${origin}/mcp`, 'free')];
  await until(async () => received === 7);
  const callers = [post(`${origin}/api/one`, 'paid'), post(`${origin}/api/one`), post(`${origin}/api/one`, 'free')];
  await until(async () => received === 10);
  served = [];
  open.resolve();
  expect(await statuses([first, ...pages, ...calls, ...callers])).toEqual(Array(10).fill(200));
  // Of nine, one place at most went to a later kind.
  const kinds = served.map(({ kind }) => kind);
  expect(kinds.slice(-3).every((kind) => kind === '/' || kind === '/portal')).toBe(true);
  expect(kinds.indexOf('paid')).toBeLessThan(2);
  expect(kinds.lastIndexOf('/mcp')).toBeLessThan(6);
  expect(kinds.lastIndexOf('/mcp')).toBeGreaterThan(2);
});

test('a shed page says so in words, without the headers that open the API to other pages', async () => {
  const origin = await start({ inProgress: 1, pendingMs: 100, few: 0 });
  const waiting = await fill(origin, 1, 1);
  const page = fetch(`${origin}/`);
  await until(async () => received === 6);
  await until(async () => {
    nowMs += 20;
    return shed.includes('page');
  });
  const answer = await page;
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.headers.get('x-of')).toBe('others');
  expect(await answer.text()).toBe('The service is busy. Try again in a moment.');
  open.resolve();
  await Promise.all(Object.values(waiting).flat());
});

test('sign-in does not wait, and more of it than a turn has time for waits for its own part of the next ones', async () => {
  const origin = await start({ inProgress: 1, turnMs: 5 });
  const waiting = await fill(origin, 1, 2);
  // Each takes longer than a turn has.
  const pages = ['/sign-in', '/sign-in/code', '/sign-in?next=%2Fportal'].map((path) => fetch(origin + path));
  expect(await statuses(pages)).toEqual([200, 200, 200]);
  open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('one page of sign-in is served in a turn of the event loop, whatever has arrived', async () => {
  const origin = await start({ turnMs: 1_000 });
  const turns: number[] = [];
  let turn = 0;
  let next: NodeJS.Immediate | undefined;
  const count = (): void => {
    turn += 1;
    next = setImmediate(count);
  };
  count();
  onServed = () => void turns.push(turn);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
  await until(async () => turns.length === 20);
  clearImmediate(next);
  socket.destroy();
  expect(new Set(turns).size).toBe(20);
});

test('when the queue is full, the oldest request without a key is shed at once', async () => {
  const origin = await start({ inProgress: 1, pending: 8 });
  const waiting = await fill(origin, 1, 2);
  const more = post(`${origin}/api/one`, 'paid');
  expect(await Promise.race(waiting['public'] ?? [])).toMatchObject({ status: 503 });
  open.resolve();
  expect((await more).status).toBe(200);
  const all = await Promise.all(Object.values(waiting).map(statuses));
  expect(all.flat().filter((status) => status !== 200)).toEqual([503]);
  expect(shed).toEqual(['public']);
});

/** Sends a request over a socket of its own, whole or without its body. */
async function send(origin: string, isWhole: boolean, head = HEAD): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head}Content-Length: 2\r\n\r\n${isWhole ? '{}' : '{'}`);
  return socket;
}

test('connections that wait are accepted first, save for one request after each eight', async () => {
  const origin = await start({ connections: 8 });
  open.resolve();
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 2\r\n\r\n{}`);
    return socket;
  });
  await until(async () => served.length === 40);
  for (const [index, { connected: before }] of served.entries()) {
    expect(before).toBeGreaterThanOrEqual(Math.min(40, 8 * (index + 1)));
  }
  for (const socket of sockets) socket.destroy();
});

test('a slow sender takes no slot, and a client that has gone gives its slot back', async () => {
  const origin = await start({ inProgress: 4 });
  const slow = await Promise.all(Array.from({ length: 12 }, async () => send(origin, false)));
  await until(async () => received === 12);
  const gone = await Promise.all(Array.from({ length: 4 }, async () => send(origin, true)));
  await until(async () => served.length === 4);
  const next = post(`${origin}/api/one`, 'paid');
  await until(async () => received === 17);
  expect(served).toHaveLength(4);
  for (const socket of gone) socket.destroy();
  await until(async () => served.length === 5);
  open.resolve();
  expect((await next).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('clients that reset their connection at any moment leave no place taken', async () => {
  const origin = await start({ inProgress: 10 });
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
  expect((await post(`${origin}/api/one`)).status).toBe(200);
});

test('a client that pipelined several requests and goes away gives every slot back', async () => {
  const origin = await start({ inProgress: 4 });
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {});
  socket.write(`${HEAD}Content-Length: 2\r\n\r\n{}`.repeat(4));
  await until(async () => served.length === 4);
  socket.resetAndDestroy();
  const next = Array.from({ length: 4 }, async () => post(`${origin}/api/one`, 'paid'));
  await until(async () => served.length === 8);
  open.resolve();
  expect(await statuses(next)).toEqual(Array(4).fill(200));
});
