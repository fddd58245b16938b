import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';

import { answerAfterBodies } from '../kernel/http/early-answers.ts';
import { boundPieces } from './pieces.ts';

const TOGETHER = 100;
const BOUNDS = {
  together: TOGETHER,
  smallBytes: 10,
  free: { burst: 2, refillMs: 1_000 },
  paid: { burst: 4, refillMs: 1_000 },
};

let app: FastifyInstance;
let port: number;
let nowMs: number;
/** Pieces of the last body, and its end, that anyone got to read. */
let pushes: MockInstance;
/** The number of times that pieces were counted for a network. */
let counted: number;

beforeEach(async () => {
  nowMs = 0;
  counted = 0;
  app = fastify({ forceCloseConnections: true });
  answerAfterBodies(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ raw }, reply) => {
    pushes = vi.spyOn(raw, 'push');
    if (raw.headers['x-from'] === 'stranger') return reply.code(401).send({ error: 'Send a key.' });
    return undefined;
  });
  app.post('/', async ({ body }) => ({ length: String(body).length }));
  app.post('/echo', async ({ body }) => body);
  app.get('/', async () => ({ ok: true }));
  boundPieces(app, {
    planOf: ({ 'x-api-key': key }) => (key === 'paid' ? 'starter' : undefined),
    networkOf: ({ headers }) => {
      counted += 1;
      return String(headers['x-from'] ?? 'somewhere');
    },
    bounds: BOUNDS,
    now: () => nowMs,
  });
  port = Number(new URL(await app.listen({ port: 0 })).port);
});

afterEach(() => app.close());

/** Sends a body of pieces of one length. @returns all that came back once the connection has closed. */
async function send({ pieces = 1, bytes = 1, headers = '', method = 'POST', end = true }): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = Promise.withResolvers<string>();
  let got = '';
  socket.on('data', (chunk) => {
    got += String(chunk);
    if (end && got.includes('}')) socket.end();
  });
  socket.once('close', () => closed.resolve(got));
  const piece = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`;
  const head = `${method} / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n${headers}\r\n`;
  socket.write(`${head}${piece.repeat(pieces)}${end ? '0\r\n\r\n' : ''}`);
  return closed.promise;
}

const piecesRead = (): number => pushes.mock.calls.filter(([piece]) => piece !== null).length;

test('small pieces of a packet are read as one, and those of any size in their order', async () => {
  expect(await send({ pieces: TOGETHER - 1 })).toContain(`{"length":${TOGETHER - 1}}`);
  // The system may divide a packet.
  expect(piecesRead()).toBeLessThan(10);
  const pieces = Array.from({ length: 60 }, (_, index) => String(index).padEnd(index % 7 === 0 ? 3_000 : 2, '.'));
  const echoed = request({ port, path: '/echo', method: 'POST' });
  for (const piece of pieces) echoed.write(piece);
  const [answer] = await once(echoed.end(), 'response');
  expect(await text(answer)).toBe(pieces.join(''));
});

test('a body of many small pieces is refused with what to change, and nothing after the limit is read', async () => {
  const answer = await send({ pieces: 50 * TOGETHER });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toContain(
    'The body arrives in too many small pieces. Send it in larger ones, or with Content-Length.',
  );
  expect(counted).toBe(3);
});

const isTaken = async (headers: string, pieces: number): Promise<boolean> =>
  (await send({ pieces, headers })).includes(`{"length":${pieces}}`);

test('each network has an allowance of small pieces, which comes back, and one of a paid plan a larger one', async () => {
  expect(await isTaken('', 3 * TOGETHER)).toBe(true);
  expect(await isTaken('', 2 * TOGETHER)).toBe(false);
  expect(await isTaken('x-from: elsewhere\r\n', 3 * TOGETHER)).toBe(true);
  expect(await isTaken('x-api-key: paid\r\n', 5 * TOGETHER)).toBe(true);
  expect(await isTaken('x-api-key: paid\r\n', 2 * TOGETHER)).toBe(false);
  nowMs += 1_000;
  expect(await isTaken('', 2 * TOGETHER)).toBe(true);
});

test('large pieces, and bodies of few small ones, are not counted', async () => {
  for (let times = 0; times < 5; times += 1) {
    expect(await send({ pieces: 5 * TOGETHER, bytes: 10 })).toContain('{"length":5000}');
    expect(await send({ pieces: TOGETHER - 1 })).toContain(`{"length":${TOGETHER - 1}}`);
  }
});

test('small requests on one connection are not pieces of one body', async () => {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
  for (let sent = 0; sent < 4 * TOGETHER; sent += 1) {
    const answered = Promise.withResolvers<void>();
    socket.once('data', (chunk) => {
      got += String(chunk);
      answered.resolve();
    });
    socket.write(chunked);
    await answered.promise;
  }
  socket.destroy();
  expect(got.match(/HTTP\/1\.1 200/g)).toHaveLength(4 * TOGETHER);
});

test('bodies of some pieces are counted for the network, over connections', async () => {
  expect(await isTaken('', 2 * TOGETHER)).toBe(true);
  expect(await isTaken('', 2 * TOGETHER)).toBe(true);
  expect(await isTaken('', 2 * TOGETHER)).toBe(false);
  expect(await isTaken('', TOGETHER)).toBe(true);
});

test('of a refused body, or one that nobody asked for, no more is read, and the connection ends', async () => {
  const refused = await send({ pieces: 50 * TOGETHER, headers: 'x-from: stranger\r\n', end: false });
  expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  expect(counted).toBe(3);
  expect(await send({ pieces: 50 * TOGETHER, method: 'GET', end: false })).toMatch(/^HTTP\/1\.1 200 |^$/);
});

test('the next connections have their bodies read', async () => {
  for (let times = 0; times < 20; times += 1) {
    await send({ pieces: 50 * TOGETHER });
    expect(await send({ headers: 'x-from: next\r\n' })).toContain('{"length":1}');
  }
});

/** Sends bytes until the connection closes. @returns how many were taken, and the answer. */
async function flood(head: string, bytes: string): Promise<{ sent: number; got: string }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let got = '';
  let sent = 0;
  socket.on('data', (chunk) => (got += String(chunk)));
  socket.write(head);
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => closed.resolve());
  const more = (): void => {
    if (socket.destroyed || sent > 50_000_000) return;
    sent += bytes.length;
    socket.write(bytes, () => setImmediate(more));
  };
  more();
  await closed.promise;
  return { sent, got };
}

test('what is part of no request ends the connection, and is not read by the megabyte', async () => {
  expect((await flood('', '\r\n'.repeat(20_000))).sent).toBeLessThan(20_000_000);
  const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const upgraded = await flood(upgrade, 'x'.repeat(40_000));
  expect(upgraded.got).toMatch(/^HTTP\/1\.1 200 /);
  expect(upgraded.sent).toBeLessThan(20_000_000);
});

test('a connection of many requests and of large bodies is not taken for one', async () => {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const answers = (): number => got.split('HTTP/1.1 200 ').length - 1;
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let sent = 0; sent < 8_000; sent += 4_000) {
    socket.write(get.repeat(4_000));
    await expect.poll(answers).toBe(sent + 4_000);
  }
  const body = 'a'.repeat(1_000);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let piece = 0; piece < 900; piece += 1) socket.write(`3e8;${'x'.repeat(300)}\r\n${body}\r\n`);
  socket.write('0\r\n\r\n');
  await expect.poll(answers).toBe(8_001);
  expect(got).toContain('{"length":900000}');
  socket.destroy();
});
