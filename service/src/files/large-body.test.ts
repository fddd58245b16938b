import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { answerAfterBodies } from '../kernel/http/early-answers.ts';
import { unpackBodies } from '../kernel/http/unpacking.ts';
import { localRateLimit } from '../kernel/limits/token-buckets.ts';
import { until } from '../testing/until.ts';
import { placedBody } from './large-body.ts';
import { MOST_BYTES } from './store.ts';
import { TransferLimits, type Upload } from './transfer-limits.ts';

const LARGE = { all: 2, reserved: 1, perTenant: 1, waiting: 4, waitingPerTenant: 1, waitMs: 1 };
const TEXT = 'x'.repeat(MOST_BYTES + 1);

let app: FastifyInstance;
let url: string;
let handling: PromiseWithResolvers<void>;
/** Requests whose body has arrived. */
let handled: number;

beforeEach(async () => {
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds: { large: LARGE } });
  handled = 0;
  handling = Promise.withResolvers();
  app = fastify({ forceCloseConnections: true, bodyLimit: 3 * MOST_BYTES });
  unpackBodies(app);
  answerAfterBodies(app);
  const uploads = new WeakMap<object, Upload>();
  app.post<{ Params: { workspace: string }; Body: string }>(
    '/api/files/:workspace',
    {
      onRequest: async (request, reply) => {
        const { workspace: id } = request.params;
        const tenant = { id, isPaid: id.startsWith('paid') };
        uploads.set(request, await transfers.receive(tenant, { request: request.raw, response: reply.raw }));
      },
      preParsing: async (request, _reply, body) => {
        const upload = uploads.get(request);
        return upload === undefined ? body : placedBody(body, upload);
      },
    },
    async ({ body }) => {
      handled += 1;
      await handling.promise;
      return String(body.length);
    },
  );
  url = await app.listen({ port: 0 });
});

afterEach(() => app.close());

const text = { 'content-type': 'text/plain' };
const send = async (workspace: string, body: string | Uint8Array<ArrayBuffer> = TEXT, headers: object = {}) => {
  const answer = await fetch(`${url}/api/files/${workspace}`, {
    method: 'POST',
    body,
    headers: { ...text, ...headers },
  });
  return { status: answer.status, text: await answer.text() };
};

/** Sends the head of a request, and no more than the beginning of its body. */
function begin(workspace: string, head: string, beginning: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write(
    `POST /api/files/${workspace} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${head}\r\n\r\n${beginning}`,
  );
  return socket;
}

test('a workspace sends as many large files at once as its bound says, and smaller ones beside them', async () => {
  const first = send('one');
  await until(async () => handled === 1);
  const refused = await send('one');
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('A workspace sends at most 2 files larger than 4 MB at once, and one that');
  const small = send('one', 'x');
  await until(async () => handled === 2);
  handling.resolve();
  expect(await small).toEqual({ status: 200, text: '1' });
  expect(await first).toEqual({ status: 200, text: String(TEXT.length) });
  expect((await send('one')).status).toBe(200);
});

test('the unpacked size decides whether a file is large', async () => {
  const packed = () => send('one', gzipSync(TEXT), { 'content-encoding': 'gzip' });
  const first = packed();
  await until(async () => handled === 1);
  expect((await packed()).status).toBe(429);
  handling.resolve();
  expect(await first).toEqual({ status: 200, text: String(TEXT.length) });
});

test('a paying workspace finds a place beside large files of free ones', async () => {
  const free = send('free');
  await until(async () => handled === 1);
  expect((await send('other')).status).toBe(503);
  const paid = send('paid');
  await until(async () => handled === 2);
  handling.resolve();
  expect([(await free).status, (await paid).status]).toEqual([200, 200]);
});

test('files that are announced as large, or without a length, take no place before they arrive', async () => {
  const slow = [
    begin('slow', 'Transfer-Encoding: chunked', '1\r\nx\r\n'),
    begin('slower', `Content-Length: ${2 * MOST_BYTES}`, 'x'),
  ];
  // After they have come.
  await until(
    async () => (await new Promise<number>((resolve) => app.server.getConnections((_e, n) => resolve(n)))) >= 2,
  );
  handling.resolve();
  expect((await send('honest')).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('the place of a large file is free once its sender has disconnected', async () => {
  const gone = begin('one', `Content-Length: ${2 * MOST_BYTES}`, TEXT);
  handling.resolve();
  await until(async () => (await send('one')).status === 429);
  gone.destroy();
  await until(async () => (await send('one')).status === 200);
  expect(handled).toBeGreaterThan(0);
});

test('a sender that leaves after a refusal, in the middle of its body, ends no more than its connection', async () => {
  const faults: unknown[] = [];
  const note = (error: unknown): void => void faults.push(error);
  process.prependListener('uncaughtException', note);
  try {
    const gone = begin('one', `Content-Length: ${4 * MOST_BYTES}`, TEXT);
    gone.resume();
    await once(app.server, 'request');
    gone.destroy();
    await until(
      async () => (await new Promise<number>((resolve) => app.server.getConnections((_e, n) => resolve(n)))) === 0,
    );
    handling.resolve();
    expect((await send('one', 'x')).status).toBe(200);
    expect(faults).toEqual([]);
  } finally {
    process.off('uncaughtException', note);
  }
});

test('a body arrives whole in a few blocks, whose memory is freed at its end', async () => {
  const pieces = Array.from({ length: 300 }, (_, index) => Buffer.alloc(10_001, index));
  const placed = placedBody(Readable.from(pieces), { enterLarge: async () => {} });
  const blocks: Buffer[] = [];
  const arrived: Buffer[] = [];
  placed.on('data', (block: Buffer) => {
    blocks.push(block);
    arrived.push(Buffer.from(block));
  });
  await once(placed, 'close');
  expect(Buffer.concat(arrived).equals(Buffer.concat(pieces))).toBe(true);
  expect(blocks.length).toBeLessThan(12);
  expect(blocks.slice(-3).map(({ length }) => length)).toEqual([0, 0, 0]);
});

test.each(['leaves', 'is refused'])(
  'a body whose sender %s while it waits for a place copies nothing any more',
  async (how) => {
    const body = new Readable({ read: () => {} });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let waits = false;
    const placed = placedBody(body, {
      enterLarge: () => {
        waits = true;
        return promise;
      },
    }).resume();
    body.push(Buffer.alloc(MOST_BYTES));
    body.push(Buffer.alloc(100_000));
    await until(async () => waits);
    placed.destroy();
    await once(placed, 'close');
    if (how === 'leaves') resolve();
    else reject(new Error('refused'));
    await nextTurn();
    expect(placed.destroyed).toBe(true);
  },
);
