import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { fastify } from 'fastify';
import { expect, test } from 'vitest';

import { openAnswers } from '../kernel/http/exchanges.ts';
import { until } from '../testing/until.ts';
import { boundUnread } from './unread.ts';
import { CutNetworks } from './cut-networks.ts';

/** More than the buffers of the system take. */
const ANSWER = 'x'.repeat(12_000_000);

function request(path: string, network = 'one'): string {
  return `GET ${path} HTTP/1.1\r\nhost: marque\r\nx-network: ${network}\r\n\r\n`;
}

test('answers that nobody reads are dropped beyond a limit, those of the network with most first', async () => {
  const app = fastify();
  app.get('/', async () => ANSWER);
  boundUnread(app, {
    answers: openAnswers(app),
    cuts: new CutNetworks(),
    networkOf: ({ headers }) => String(headers['x-network']),
    bounds: { bytes: 30_000_000, everyMs: 10 },
  });
  const { port } = new URL(await app.listen({ port: 0 }));
  const closed: string[] = [];
  const sockets: Socket[] = [];
  /** Sends a request, and does not read its answer. */
  const ask = async (network: string): Promise<void> => {
    const socket = connect(Number(port)).pause();
    sockets.push(socket);
    socket.once('error', () => undefined);
    await once(socket, 'connect');
    socket.write(request('/', network));
  };
  app.server.on('connection', (socket) => {
    socket.once('close', () => closed.push('closed'));
  });
  await ask('honest');
  for (let sent = 0; sent < 6; sent += 1) await ask('hostile');
  await until(async () => closed.length >= 4);
  expect(closed.length).toBeLessThan(7);
  const [honest] = sockets;
  let bytes = 0;
  honest?.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await until(async () => bytes > ANSWER.length);
  for (const socket of sockets) socket.destroy();
  await app.close();
});

test('many short answers behind one that nobody reads count with what stays beside them', async () => {
  const app = fastify();
  app.get('/', async () => ANSWER);
  app.get('/short', async () => 'x');
  const options = { answers: openAnswers(app), cuts: new CutNetworks(), networkOf: () => 'one' };
  boundUnread(app, { ...options, bounds: { bytes: 14_000_000, everyMs: 10 } });
  const { port } = new URL(await app.listen({ port: 0 }));
  let cut = false;
  app.server.on('connection', (socket) => socket.once('close', () => (cut = true)));
  const socket = connect(Number(port)).pause();
  socket.on('error', () => undefined);
  socket.write(request('/') + request('/short').repeat(1_000));
  await until(async () => cut);
  expect(cut).toBe(true);
  socket.destroy();
  await app.close();
});
