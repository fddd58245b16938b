import { once } from 'node:events';
import { connect } from 'node:net';
import { Transform } from 'node:stream';
import zlib, { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { answerAfterBodies } from './early-answers.ts';
import { unpackBodies } from './unpacking.ts';

const LIMIT = 16_384;
const COMPRESS = { gzip: gzipSync, deflate: deflateSync };

let app: FastifyInstance;
let url: string;
/** All that unpacks. */
let streams: () => Transform[];

beforeEach(async () => {
  const spies = [vi.spyOn(zlib, 'createGunzip'), vi.spyOn(zlib, 'createInflate')];
  streams = () =>
    spies.flatMap(({ mock }) => mock.results.flatMap(({ value }) => (value instanceof Transform ? [value] : [])));
  app = fastify({ forceCloseConnections: true, bodyLimit: LIMIT });
  unpackBodies(app);
  answerAfterBodies(app);
  app.post<{ Body: string }>('/', async ({ body }) => ({ length: body.length }));
  url = await app.listen({ port: 0 });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

async function send(encoding: string, body: Uint8Array<ArrayBuffer>): Promise<[number, unknown]> {
  const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const told: { length?: number; message?: string } = JSON.parse(await answer.text());
  return [answer.status, told.length ?? told.message];
}

describe.each(['gzip', 'deflate'] as const)('%s', (encoding) => {
  const packed = (bytes: number) => COMPRESS[encoding](Buffer.alloc(bytes, 0x20));

  test('a body is read up to the limit, and not beyond', async () => {
    expect(await send(encoding, packed(LIMIT))).toEqual([200, LIMIT]);
    expect((await send(encoding, packed(LIMIT + 1)))[0]).toBe(413);
    expect(await send(encoding, packed(0))).toEqual([200, 0]);
  });

  test('what is refused is not unpacked any further', async () => {
    expect((await send(encoding, packed(2 ** 27)))[0]).toBe(413);
    expect(streams().map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('a body that is cut off, or none of that kind, is refused', async () => {
    const body = packed(1_000);
    const wrong = expect.stringContaining('Content-Encoding says');
    expect(await send(encoding, body.subarray(0, -5))).toEqual([400, wrong]);
    expect(await send(encoding, Buffer.from('{"vin":"1HGCM82633A004352"}'))).toEqual([400, wrong]);
  });
});

test('a body that unpacks to nothing is refused beyond the limit, too', async () => {
  const nothing = gzipSync('');
  const many = Buffer.concat(Array.from({ length: Math.ceil(LIMIT / nothing.length) + 1 }, () => nothing));
  const body = new Blob([many]).stream();
  // Without Content-Length, which would tell its size before.
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  const request = { method: 'POST', headers, body, duplex: 'half' };
  const answer = await fetch(url, request);
  expect(answer.status).toBe(413);
});

test('what unpacks ends when the sender leaves', async () => {
  const body = gzipSync(Buffer.alloc(1_000));
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  const asked = once(app.server, 'request');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, -1));
  await asked;
  await expect.poll(() => streams().length).toBe(1);
  socket.destroy();
  await expect.poll(() => streams().map(({ destroyed }) => destroyed)).toEqual([true]);
});

test.each(['br', 'compress', 'gzip, gzip'])('%s is refused', async (encoding) => {
  const unknown = expect.stringContaining('must be gzip or deflate');
  expect(await send(encoding, brotliCompressSync('x'))).toEqual([415, unknown]);
  expect(streams()).toEqual([]);
});

test('an encoding may be in capitals', async () => {
  expect(await send('GZIP', gzipSync('x'))).toEqual([200, 1]);
});
