import { connect } from 'node:net';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { until } from '../testing/until.ts';
import { Admitted, HEAD, post, send, statuses } from './testing/admitted.ts';

let service: Admitted;

beforeEach(() => {
  service = new Admitted();
});

afterEach(() => service.app.close());

test('connections that wait are accepted first, save for one request after each eight', async () => {
  const origin = await service.start({ connections: 8 });
  service.open.resolve();
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 2\r\n\r\n{}`);
    return socket;
  });
  await until(async () => service.served.length === 40);
  for (const [index, { connected: before }] of service.served.entries()) {
    expect(before).toBeGreaterThanOrEqual(Math.min(40, 8 * (index + 1)));
  }
  for (const socket of sockets) socket.destroy();
});

test('a slow sender takes no slot, and a client that has gone gives its slot back', async () => {
  const origin = await service.start({ inProgress: 4 });
  const slow = await Promise.all(Array.from({ length: 12 }, async () => send(origin, false)));
  await until(async () => service.received === 12);
  const gone = await Promise.all(Array.from({ length: 4 }, async () => send(origin, true)));
  await until(async () => service.served.length === 4);
  const next = post(`${origin}/api/one`, 'paid');
  await until(async () => service.received === 17);
  expect(service.served).toHaveLength(4);
  for (const socket of gone) socket.destroy();
  await until(async () => service.served.length === 5);
  service.open.resolve();
  expect((await next).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('clients that reset their connection at any moment leave no place taken', async () => {
  const origin = await service.start({ inProgress: 10 });
  service.open.resolve();
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
  const origin = await service.start({ inProgress: 4 });
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {});
  socket.write(`${HEAD}Content-Length: 2\r\n\r\n{}`.repeat(4));
  await until(async () => service.served.length === 4);
  socket.resetAndDestroy();
  const next = Array.from({ length: 4 }, async () => post(`${origin}/api/one`, 'paid'));
  await until(async () => service.served.length === 8);
  service.open.resolve();
  expect(await statuses(next)).toEqual(Array(4).fill(200));
});
