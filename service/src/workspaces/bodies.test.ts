import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { registerCompression } from '../kernel/http/encodings.ts';
import { boundBodies } from './bodies.ts';

const LIMIT = 20_000;
/** Of 20 whole bodies, or of two compressed ones. */
const MOST = 400_000;

let app: FastifyInstance;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  app = fastify({ forceCloseConnections: true, bodyLimit: LIMIT });
  await registerCompression(app);
  boundBodies(app, {
    planOf: ({ 'x-api-key': key }) => (key === 'paid' ? 'starter' : undefined),
    networkOf: ({ headers }) => String(headers['x-from']),
    bounds: { bytes: MOST },
  });
  app.post('/', async ({ body }) => ({ length: JSON.stringify(body).length }));
  port = Number(new URL(await app.listen({ port: 0 })).port);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends the beginning of a body; resolves once the service has it. */
async function begin(from: string, headers = '', body: string | Buffer = '"'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  const arrived = once(app.server, 'request');
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Content-Length: ${LIMIT - 1}\r\n${headers}\r\n`,
  );
  socket.write(body);
  await arrived;
  return socket;
}

const beginMany = async (count: number, from: string, headers?: string): Promise<Socket[]> => {
  const begun: Socket[] = [];
  for (let index = 0; index < count; index++) begun.push(await begin(from, headers));
  return begun;
};

/** Sends the rest of a body. @returns the answer; empty: the connection was closed before. */
async function finish(socket: Socket): Promise<string> {
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const closed = socket.closed ? undefined : once(socket, 'close');
  socket.write(`${'a'.repeat(LIMIT - 3)}"`);
  await closed;
  return got;
}

const finishAll = async (begun: readonly Socket[]): Promise<boolean[]> =>
  (await Promise.all(begun.map(finish))).map((answer) => answer.includes(`{"length":${LIMIT - 1}}`));

test('bodies within the limit arrive, however many there were before', async () => {
  for (let times = 0; times < 5; times++) expect(await finishAll(await beginMany(19, 'here'))).not.toContain(false);
});

test('beyond the limit the oldest bodies of the network that has most are dropped', async () => {
  const honest = await beginMany(3, 'elsewhere');
  const flood = await beginMany(18, 'flood');
  expect(await finishAll(honest)).toEqual([true, true, true]);
  const left = await finishAll(flood);
  expect(left.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => false));
  expect(left.slice(6)).toEqual(Array.from({ length: 12 }, () => true));
});

test('those with a key of a paid plan come last', async () => {
  const paid = await beginMany(15, 'flood', 'x-api-key: paid\r\n');
  await beginMany(6, 'flood');
  expect(await finishAll(paid)).not.toContain(false);
  const more = await beginMany(21, 'flood', 'x-api-key: paid\r\n');
  expect(await finishAll(more)).toContain(false);
});

test('a compressed body counts with what it may unpack to, whatever it says', async () => {
  const packed = gzipSync('"'.padEnd(LIMIT - 2, 'a')).subarray(0, 30);
  const flood: Socket[] = [];
  for (let index = 0; index < 10; index++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    const arrived = once(app.server, 'request');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nX-From: flood\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 60\r\n\r\n',
    );
    socket.write(packed);
    await arrived;
    flood.push(socket);
  }
  const cut = flood.slice(0, 8);
  await Promise.all(cut.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
  expect(flood.slice(8).map(({ closed }) => closed)).toEqual([false, false]);
});
