import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { unpackBodies } from '../kernel/http/unpacking.ts';
import { openAnswers } from '../kernel/http/exchanges.ts';
import { until } from '../testing/until.ts';
import { boundBodies } from './bodies.ts';
import { CutNetworks } from './cut-networks.ts';

const LIMIT = 20_000;
/** Of 20 whole bodies, or of two compressed ones. */
const MOST = 400_000;

let app: FastifyInstance;
let cuts: CutNetworks;
let port: number;
let sockets: Socket[];
/** Requests are read once this has resolved. */
let isOpen: Promise<void> | undefined;
/** Whole bodies wait until this has resolved. */
let holdUntil: Promise<void> | undefined;
let held: number;

async function start(everyMs: number): Promise<void> {
  cuts = new CutNetworks();
  app = fastify({ forceCloseConnections: true, bodyLimit: LIMIT });
  unpackBodies(app);
  const hold = boundBodies(app, {
    planOf: ({ 'x-api-key': key }) => (key === 'paid' ? 'starter' : undefined),
    networkOf: ({ headers }) => String(headers['x-from']),
    answers: openAnswers(app),
    cuts,
    bounds: { paid: MOST, free: MOST, everyMs },
  });
  app.addHook('onRequest', async () => isOpen);
  app.addHook('preValidation', async ({ raw }) => {
    if (holdUntil === undefined) return;
    const release = hold(raw, LIMIT);
    held += 1;
    await holdUntil;
    release();
  });
  app.post('/', async ({ body }) => ({ length: JSON.stringify(body).length }));
  port = Number(new URL(await app.listen({ port: 0 })).port);
}

beforeEach(async () => {
  sockets = [];
  isOpen = undefined;
  holdUntil = undefined;
  held = 0;
  await start(60_000);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends a request, or its beginning; resolves once the service has all of it. */
async function send(head: string, body: string | Buffer = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  const arrived: Promise<[IncomingMessage]> = once(app.server, 'request').then(([request]) => [request]);
  const text = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n${head}\r\n`;
  socket.write(text);
  socket.write(body);
  const [request] = await arrived;
  const bytes = text.length + Buffer.byteLength(body);
  await until(async () => request.socket.destroyed || request.socket.bytesRead >= bytes);
  return socket;
}

/** Sends all of a body but its end. */
const begin = (from: string, headers = ''): Promise<Socket> =>
  send(`X-From: ${from}\r\nContent-Length: ${LIMIT - 1}\r\n${headers}`, `"${'a'.repeat(LIMIT - 4)}`);

const beginMany = async (count: number, from: string, headers?: string): Promise<Socket[]> => {
  const begun: Socket[] = [];
  for (let index = 0; index < count; index++) begun.push(await begin(from, headers));
  return begun;
};

/** Sends the rest of a body. @returns the answer; empty: the connection was closed before. */
async function finish(socket: Socket, rest = 'a"'): Promise<string> {
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const closed = socket.closed ? undefined : once(socket, 'close');
  if (rest !== '') socket.write(rest);
  await closed;
  return got;
}

const finishAll = async (begun: readonly Socket[]): Promise<boolean[]> =>
  (await Promise.all(begun.map((socket) => finish(socket)))).map((answer) => answer.includes('{"length":'));

test('bodies within the limit arrive, however many there were before', async () => {
  for (let times = 0; times < 3; times++) expect(await finishAll(await beginMany(18, 'here'))).not.toContain(false);
});

test('beyond the limit the oldest bodies of the network that has most are dropped', async () => {
  const honest = await beginMany(3, 'elsewhere');
  const flood = await beginMany(18, 'flood');
  expect(await finishAll(honest)).toEqual([true, true, true]);
  const left = await finishAll(flood);
  expect(left[0]).toBe(false);
  expect(left.filter(Boolean).length).toBeGreaterThan(9);
  expect(left.slice(-9)).not.toContain(false);
});

test('what others send takes no room from those with a key of a paid plan', async () => {
  const paid = await beginMany(15, 'flood', 'x-api-key: paid\r\n');
  await beginMany(21, 'flood');
  expect(await finishAll(paid)).not.toContain(false);
});

test('a compressed body counts with what it may unpack to, whatever it says', async () => {
  const packed = gzipSync('"'.padEnd(LIMIT - 2, 'a')).subarray(0, 30);
  const flood: Socket[] = [];
  for (let index = 0; index < 10; index++)
    flood.push(await send('X-From: flood\r\nContent-Encoding: gzip\r\nContent-Length: 60\r\n', packed));
  const cut = flood.slice(0, 8);
  await Promise.all(cut.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
  expect(flood.slice(8).map(({ closed }) => closed)).toEqual([false, false]);
});

test('whole bodies that wait for their turn count until it comes', async () => {
  const turn = Promise.withResolvers<void>();
  holdUntil = turn.promise;
  const flood: Socket[] = [];
  for (let index = 0; index < 24; index++) {
    const socket = await begin('flood');
    socket.write('a"');
    flood.push(socket);
    await until(async () => held === index + 1);
  }
  turn.resolve();
  const left = await Promise.all(flood.map((socket) => finish(socket, '')));
  const answered = left.map((answer) => answer.includes('{"length":'));
  expect(answered[0]).toBe(false);
  expect(answered.slice(-9)).not.toContain(false);
  expect(await finishAll(await beginMany(18, 'here'))).not.toContain(false);
});

test('compressed bodies that are read before they have arrived leave no room taken', async () => {
  const packed = Buffer.concat([gzipSync('"aa"'), Buffer.alloc(16)]);
  const begin = Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed]);
  for (let index = 0; index < 4; index++) {
    const turn = Promise.withResolvers<void>();
    holdUntil = turn.promise;
    const socket = await send('X-From: here\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', begin);
    await until(async () => held === index + 1);
    turn.resolve();
    expect(await finish(socket, '\r\n0\r\n\r\n')).toContain('{"length":4}');
  }
});

test('a body that was answered before it had arrived is not counted once its connection is gone', async () => {
  const noted = vi.spyOn(cuts, 'note');
  for (let index = 0; index < 4; index++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const accepted: Promise<[Socket]> = once(app.server, 'connection').then(([connection]) => [connection]);
    socket.write(
      'GET / HTTP/1.1\r\nHost: x\r\nX-From: here\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    socket.write('5\r\naaaaa\r\n');
    const [connection] = await accepted;
    await once(socket, 'data');
    socket.destroy();
    await until(async () => connection.destroyed);
  }
  expect(noted).not.toHaveBeenCalled();
});

test('whole bodies that wait to be read, and chunked ones that have only begun, are not dropped', async () => {
  const gate = Promise.withResolvers<void>();
  isOpen = gate.promise;
  const chunked = 'X-From: here\r\nTransfer-Encoding: chunked\r\n';
  const waiting: Socket[] = [];
  for (let index = 0; index < 60; index++) waiting.push(await send(chunked, '4\r\n"aa"\r\n0\r\n\r\n'));
  const begun: Socket[] = [];
  for (let index = 0; index < 60; index++) begun.push(await send(chunked));
  const answers = [
    ...waiting.map((socket) => finish(socket, '')),
    ...begun.map((socket) => finish(socket, '4\r\n"aa"\r\n0\r\n\r\n')),
  ];
  gate.resolve();
  for (const answer of await Promise.all(answers)) expect(answer).toContain('{"length":4}');
});

test('small bodies that do not arrive count with what their requests take', async () => {
  await app.close();
  await start(50);
  const note = vi.spyOn(cuts, 'note');
  const honest = await send('X-From: elsewhere\r\nContent-Length: 4\r\n', '"a');
  const flood: Socket[] = [];
  for (let index = 0; index < 30; index++) flood.push(await send('X-From: flood\r\nContent-Length: 4\r\n', '"a'));
  await until(async () => flood.filter(({ closed }) => closed).length >= 7);
  expect(new Set(note.mock.calls.flat())).toEqual(new Set(['flood']));
  expect(flood.slice(-10).some(({ closed }) => closed)).toBe(false);
  expect(await finish(honest)).toContain('{"length":4}');
  for (let index = 0; index < 60; index++) {
    const whole = await send('X-From: here\r\nContent-Length: 4\r\n', '"aa"');
    expect(await finish(whole, '')).toContain('{"length":4}');
  }
});
