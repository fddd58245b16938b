import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { until } from '../testing/until.ts';
import { Admitted, countTurns, HEAD, post, send, statuses } from './testing/admitted.ts';

let service: Admitted;

beforeEach(() => {
  service = new Admitted();
});

afterEach(() => service.app.close());

test('when requests take longer than there is time, paid callers are served, and those without a key shed', async () => {
  const origin = await service.start({ inProgress: 4, pendingMs: 1_000, few: 0 });
  const waiting = await service.fill(origin, 4, 20);
  // A second is enough for fifty of the eighty: all of paid plans and the free one, and some batches.
  service.open.resolve();
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
  const origin = await service.start({ inProgress: 1, pendingMs: 100_000 });
  const waiting = await service.fill(origin, 1, 10);
  service.open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
  const kinds = service.served.map(({ kind }) => kind);
  // Of forty, two places at most went to a later kind.
  expect(kinds.lastIndexOf('paid')).toBeLessThan(12);
  expect(kinds.lastIndexOf('free')).toBeLessThan(22);
  expect(kinds.lastIndexOf('batch')).toBeLessThan(32);
  expect(kinds.slice(0, 16)).toContain('free');
});

test('batches of paid plans come after their single requests, and before anything of the free plan', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100_000 });
  const first = post(`${origin}/api/one`, 'paid');
  await until(async () => service.served.length === 1);
  const ask = (path: string, key: string) => Array.from({ length: 4 }, () => post(origin + path, key));
  const free = ask('/api/one', 'free');
  await until(async () => service.received === 5);
  const paid = [...ask('/api/batch', 'paid'), ...ask('/api/one', 'paid')];
  await until(async () => service.received === 13);
  service.served = [];
  service.open.resolve();
  expect(await statuses([first, ...free, ...paid])).toEqual(Array(13).fill(200));
  const kinds = service.served.map(({ kind }) => kind);
  // One of twelve at most went to a later kind.
  expect(kinds.lastIndexOf('paid')).toBeLessThan(5);
  expect(kinds.lastIndexOf('batch')).toBeLessThan(9);
});

test('one paid workspace, or one network, with many requests leaves others of its kind their turns', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100_000 });
  const first = post(`${origin}/api/one`, 'paid');
  await until(async () => service.served.length === 1);
  const many = ['paid', undefined].flatMap((key) => Array.from({ length: 30 }, () => post(`${origin}/api/one`, key)));
  await until(async () => service.received === 61);
  const others = [post(`${origin}/api/one`, 'other'), post(`${origin}/api/one`, undefined, 'elsewhere')];
  await until(async () => service.received === 63);
  service.served = [];
  service.open.resolve();
  expect(await statuses([first, ...many, ...others])).toEqual(Array(63).fill(200));
  const kinds = service.served.map(({ kind }) => kind);
  expect(kinds.indexOf('other')).toBeLessThan(2);
  // All paid ones come before it, and those of the other network but one behind it.
  expect(kinds.indexOf('elsewhere')).toBeLessThan(35);
});

test('with few pending whose clients still wait, none is shed for a slow service until much later', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100, few: 8, fewPendingMs: 10_000 });
  const waiting = await service.fill(origin, 1, 2);
  const head = 'POST /api/one HTTP/1.1\r\nHost: x\r\n';
  const gone = await Promise.all(Array.from({ length: 20 }, async () => send(origin, true, head)));
  await until(async () => service.received === 29);
  for (const socket of gone) socket.destroy();
  await until(async () => (await service.connections()) === 9);
  service.open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
  expect(service.nowMs).toBeGreaterThan(100);
});

test('a request that waited while the process was suspended is not shed for it', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 2_000, few: 0 });
  const waiting = await service.fill(origin, 1, 2);
  service.nowMs += 10_000;
  service.open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('requests of other plans that wait leave places to paid ones, batches and keys not looked up yet among them', async () => {
  const origin = await service.start({ inProgress: 4, ofOthers: 2, pendingMs: 100_000 });
  const held = ['free', undefined].map((key) => post(`${origin}/api/one`, key));
  await until(async () => service.served.length === 2);
  const others = [post(`${origin}/api/one`, 'free'), post(`${origin}/api/one`), post(`${origin}/api/batch`, 'free')];
  await until(async () => service.received === 5);
  const paid = [post(`${origin}/api/batch`, 'paid'), post(`${origin}/api/one`, 'fresh')];
  await until(async () => service.served.length === 4);
  expect(
    service.served
      .slice(2)
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['batch', 'fresh']);
  service.open.resolve();
  expect(await statuses([...held, ...others, ...paid])).toEqual(Array(7).fill(200));
});

test('bodies that end together go on one after the other, and none takes the places of paid plans', async () => {
  const origin = await service.start({ inProgress: 4, ofOthers: 2, pendingMs: 100_000 });
  const sent = await Promise.all(Array.from({ length: 6 }, () => send(origin, false)));
  await until(async () => service.received === 6);
  await nextTurn();
  for (const socket of sent) socket.write('}');
  await until(async () => service.served.length === 2);
  const paid = post(`${origin}/api/one`, 'paid');
  await until(async () => service.served.length === 3);
  expect(service.served.map(({ kind }) => kind)).toEqual(['free', 'free', 'paid']);
  service.open.resolve();
  expect((await paid).status).toBe(200);
  await until(async () => service.served.length === 7);
});

test('bodies that end together are each read in a turn of their own, also those that are refused as they are read', async () => {
  const origin = await service.start({ turnMs: 5, pendingMs: 100_000 });
  const turns: number[] = [];
  const { current, stop } = countTurns();
  service.onRead = () => void turns.push(current());
  const sent = await Promise.all(Array.from({ length: 12 }, () => send(origin, false, HEAD, '!')));
  await until(async () => service.received === 12);
  await nextTurn();
  for (const socket of sent) socket.write('}');
  await until(async () => turns.length === 12);
  stop();
  expect(new Set(turns).size).toBe(12);
  for (const socket of sent) socket.destroy();
});

test('a body whose turn does not come in time is shed before it is read', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100, few: 0 });
  const first = post(`${origin}/api/one`, 'paid');
  await until(async () => service.served.length === 1);
  service.onRead = () => expect.unreachable();
  const socket = await send(origin, false);
  await until(async () => service.received === 2);
  await nextTurn();
  socket.write('}');
  const answer = once(socket, 'data');
  await until(async () => {
    service.nowMs += 20;
    return service.shed.length > 0;
  });
  expect(String(await answer)).toMatch(/^HTTP\/1.1 503 /);
  expect(service.shed).toEqual(['free']);
  service.open.resolve();
  expect((await first).status).toBe(200);
});

test('an answer that is made is no longer in progress, though its client reads neither it nor those behind it', async () => {
  const origin = await service.start({ inProgress: 2, pendingMs: 100_000 });
  service.open.resolve();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.pause().on('error', () => undefined);
  await once(socket, 'connect');
  for (const path of ['long', 'one'])
    socket.write(`POST /api/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  await until(async () => service.served.length === 2);
  expect((await post(`${origin}/api/one`, 'paid')).status).toBe(200);
  socket.destroy();
});

test('pages wait for all others, and calls of an assistant for those of any key', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100_000 });
  const first = post(`${origin}/api/one`, 'paid');
  await until(async () => service.served.length === 1);
  const ask = (path: string, method = 'GET') => fetch(origin + path, { method, headers: { connection: 'close' } });
  const pages = ['/', '/portal', '/', '/portal'].map((path) => ask(path));
  const calls = [post(`${origin}/mcp`, 'paid'), post(`${origin}/mcp`, 'free')];
  await until(async () => service.received === 7);
  const callers = [post(`${origin}/api/one`, 'paid'), post(`${origin}/api/one`), post(`${origin}/api/one`, 'free')];
  await until(async () => service.received === 10);
  service.served = [];
  service.open.resolve();
  expect(await statuses([first, ...pages, ...calls, ...callers])).toEqual(Array(10).fill(200));
  // Of nine, one place at most went to a later kind.
  const kinds = service.served.map(({ kind }) => kind);
  expect(kinds.slice(-3).every((kind) => kind === '/' || kind === '/portal')).toBe(true);
  expect(kinds.indexOf('paid')).toBeLessThan(2);
  expect(kinds.lastIndexOf('/mcp')).toBeLessThan(6);
  expect(kinds.lastIndexOf('/mcp')).toBeGreaterThan(2);
});

test('a shed page says so in words, without the headers that open the API to other pages', async () => {
  const origin = await service.start({ inProgress: 1, pendingMs: 100, few: 0 });
  const waiting = await service.fill(origin, 1, 1);
  const page = fetch(`${origin}/`);
  await until(async () => service.received === 6);
  await until(async () => {
    service.nowMs += 20;
    return service.shed.includes('page');
  });
  const answer = await page;
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.headers.get('x-of')).toBe('others');
  expect(await answer.text()).toBe('The service is busy. Try again in a moment.');
  service.open.resolve();
  await Promise.all(Object.values(waiting).flat());
});

test('when the queue is full, the oldest request without a key is shed at once', async () => {
  const origin = await service.start({ inProgress: 1, pending: 8 });
  const waiting = await service.fill(origin, 1, 2);
  const more = post(`${origin}/api/one`, 'paid');
  expect(await Promise.race(waiting['public'] ?? [])).toMatchObject({ status: 503 });
  service.open.resolve();
  expect((await more).status).toBe(200);
  const all = await Promise.all(Object.values(waiting).map(statuses));
  expect(all.flat().filter((status) => status !== 200)).toEqual([503]);
  expect(service.shed).toEqual(['public']);
});
