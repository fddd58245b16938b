import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { until } from '../testing/until.ts';
import { Admitted, countTurns, send, statuses } from './testing/admitted.ts';

let service: Admitted;

beforeEach(() => {
  service = new Admitted();
});

afterEach(() => service.app.close());

test('health checks do not wait, however many do', async () => {
  const origin = await service.start({ inProgress: 2 });
  const waiting = await service.fill(origin, 2, 5);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(service.served).toEqual([]);
  service.open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('a flood of health checks takes its share of a turn, and leaves the rest to decodes', async () => {
  const origin = await service.start({ turnMs: 5, firstMs: 1 });
  service.open.resolve();
  service.healthTakesMs = 0.5;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const decode = 'POST /api/one HTTP/1.1\r\nHost: x\r\nX-Api-Key: paid\r\nContent-Length: 0\r\n\r\n';
  socket.write(health);
  await until(async () => service.order.length === 1);
  // By then no connection waits to be accepted.
  await nextTurn();
  await nextTurn();
  socket.write(health.repeat(20) + decode + health.repeat(20));
  await until(async () => service.order.length === 42);
  socket.destroy();
  expect(service.order.indexOf('decode')).toBe(1 + 2);
});

test('sign-in does not wait, and more of it than a turn has time for waits for its own part of the next ones', async () => {
  const origin = await service.start({ inProgress: 1, turnMs: 5 });
  const waiting = await service.fill(origin, 1, 2);
  // Each takes longer than a turn has.
  const pages = ['/sign-in', '/sign-in/code', '/sign-in?next=%2Fportal'].map((path) => fetch(origin + path));
  expect(await statuses(pages)).toEqual([200, 200, 200]);
  service.open.resolve();
  for (const answers of Object.values(waiting)) expect(await statuses(answers)).not.toContain(503);
});

test('one page of sign-in is served in a turn of the event loop, whatever has arrived', async () => {
  const origin = await service.start({ turnMs: 1_000 });
  const turns: number[] = [];
  const { current, stop } = countTurns();
  service.onServed = () => void turns.push(current());
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
  await until(async () => turns.length === 20);
  stop();
  socket.destroy();
  expect(new Set(turns).size).toBe(20);
});

test('bodies of sign-in that end together are each read in a turn of their own', async () => {
  const origin = await service.start({ turnMs: 1_000 });
  const turns: number[] = [];
  const { current, stop } = countTurns();
  service.onRead = () => void turns.push(current());
  const head = 'POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const sent = await Promise.all(Array.from({ length: 12 }, () => send(origin, false, head)));
  await until(async () => service.received === 12);
  // Each has had its turn by then.
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  for (const socket of sent) socket.write('}');
  await until(async () => turns.length === 12);
  stop();
  expect(new Set(turns).size).toBe(12);
  for (const socket of sent) socket.destroy();
});
