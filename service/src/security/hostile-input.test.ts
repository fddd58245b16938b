import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { maskPartIn, maskVinIn, maskVinsIn } from '../kernel/mask-vin.ts';
import { csvLine } from '../kernel/csv/csv.ts';
import { withoutSecrets } from '../kernel/http/log.ts';
import { decoder } from '../testing/decoder.ts';
import { type TestService, testService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';
/** Processor time that is generous for a slow machine; a pattern that backtracks takes minutes. */
const SOON_MS = 10_000;

let service: TestService;
let origin: string;

beforeAll(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '100000' });
  origin = await service.app.listen({ port: 0 });
});

afterAll(() => service[Symbol.asyncDispose]());

const post = (url: string, payload: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload });

/** Sends bytes as they are, and gives all that comes back. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(text);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await once(socket, 'close');
  return answer;
}

/** Returns the processor time of this thread, where the service runs too, in milliseconds. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function tookMs(work: () => unknown): number {
  const began = spentMs();
  work();
  return spentMs() - began;
}

describe('bombs', () => {
  test.each([
    ['nested lists', '['.repeat(16_000)],
    ['nested objects', `${'{"vin":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
    ['a million digits', `{"vin":${'9'.repeat(16_000)}}`],
    ['many names', `{${Array.from({ length: 1_200 }, (_, index) => `"a${index}":1`).join(',')}}`],
    ['many escapes', `{"vin":"${'\\u0041'.repeat(2_500)}"}`],
  ])('%s are refused at once', async (_what, body) => {
    const began = spentMs();
    expect((await post('/api/decode', body)).statusCode).toBe(400);
    expect(spentMs() - began).toBeLessThan(SOON_MS);
  });

  test('a deep report of an answer is refused, not stored', async () => {
    const claim = { expectedManufacturer: 'x', expectedModel: 'x', expectedBodyStyle: 'x', expectedModelYear: 'x' };
    const start = JSON.stringify({ vin: VIN, ...claim, note: 'x' }).slice(0, -1);
    const deep = `${start},"actualReport":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
    expect((await post('/api/report-decode-issue', deep)).statusCode).toBe(400);
  });

  test('a compressed body is not unpacked beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 0x20));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await fetch(`${origin}/api/decode`, { method: 'POST', headers, body: bomb });
    expect(answer.status).toBe(413);
  });
});

describe('pollution', () => {
  test.each([
    `{"vin":"${VIN}","__proto__":{"plan":"enterprise"}}`,
    `{"vin":"${VIN}","constructor":{"prototype":{"plan":"enterprise"}}}`,
    `{"vin":"${VIN}","a":{"__proto__":{"polluted":true}}}`,
  ])('%s changes no object and no answer', async (body) => {
    const answer = await post('/api/decode', body);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('metadata');
    expect(Object.prototype).not.toHaveProperty('plan');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('names of built-in things are not vehicles, fields or workspaces', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect((await service.app.inject(`/api/vin/${name}`)).json()).toMatchObject({ wellFormed: false });
      expect([303, 404]).toContain((await service.app.inject(`/portal/${name}`)).statusCode);
      expect((await service.app.inject(`/assets/${name}`)).statusCode).toBe(404);
    }
  });
});

describe('smuggling', () => {
  const body = JSON.stringify({ vin: VIN });
  const start = 'POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const inner = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

  test.each([
    ['both lengths', `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['two lengths', `${start}Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a coding in disguise', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a blank before the colon', `${start}Content-Length : ${body.length}\r\n\r\n${body}`],
    ['a folded header', `${start}X-A: b\r\n c: d\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a signed length', `${start}Content-Length: +${body.length}\r\n\r\n${body}`],
    ['a bare line feed', `${start.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${inner}`],
  ])('%s: the request is refused, the connection closed, and nothing behind it is answered', async (_what, text) => {
    const charged = await service.charged();
    const answer = await raw(text);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain('"ok"');
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(await service.charged()).toBe(charged);
  });

  test("a client's input never becomes a header of an answer", async () => {
    const evil = 'x\r\nSet-Cookie: a=b';
    for (const url of [
      `/sign-in?next=${encodeURIComponent(`/portal${evil}`)}`,
      `/api/vin/${encodeURIComponent(evil)}`,
      `/portal/${encodeURIComponent(evil)}`,
    ]) {
      const answer = await raw(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer.split('\r\n\r\n')[0]).not.toMatch(/^set-cookie: a=b/im);
    }
  });

  test('a host or a proxy header of a stranger changes no link and no caller', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '9.9.9.9' };
    for (const url of ['/', '/docs', '/sign-in', '/openapi.json']) {
      expect((await service.app.inject({ url, headers })).body).not.toContain('evil.example');
    }
    const before = await post('/api/decode', `{"vin":"${VIN}"}`);
    const spoofed = { 'x-forwarded-for': '9.9.9.9', forwarded: 'for=9.9.9.9' };
    const after = await post('/api/decode', `{"vin":"${VIN}"}`, spoofed);
    const [left, less] = [before, after].map((answer) => Number(answer.headers['x-ratelimit-remaining']));
    expect(less).toBe((left ?? 0) - 1);
  });
});

describe('patterns', () => {
  test.each(['A', '-', ' ', '. -', '1HGCM', 'mq_live_', '\u0000', '🚗', "x'", '\u24B6', '\u24CC\u24CB\u24CC\u24CF'])(
    'texts of 8,000 characters made of %j are read at once',
    async (unit) => {
      const text = unit.repeat(Math.ceil(8_000 / unit.length));
      const began = spentMs();
      const url = `/api/vin/${encodeURIComponent(text.slice(0, 800))}`;
      expect((await service.app.inject(url)).statusCode).toBe(200);
      expect((await post('/api/decode', JSON.stringify({ vin: text.slice(0, 2_000) }))).statusCode).toBe(400);
      for (const header of ['authorization', 'x-api-key', 'idempotency-key', 'accept', 'cookie', 'x-forwarded-for']) {
        const value = text.replaceAll(/[^\x20-\x7e]/g, 'x');
        await post('/api/decode', `{"vin":"${VIN}"}`, { [header]: value });
      }
      expect(spentMs() - began).toBeLessThan(2 * SOON_MS);
      expect(tookMs(() => withoutSecrets(text.repeat(10)))).toBeLessThan(SOON_MS);
      expect(tookMs(() => maskVinIn(text.repeat(10), VIN))).toBeLessThan(SOON_MS);
      expect(tookMs(() => maskPartIn(text, `${'A'.repeat(63)}B`))).toBeLessThan(SOON_MS);
      expect(tookMs(() => maskVinsIn(text.repeat(10)))).toBeLessThan(SOON_MS);
      expect(tookMs(() => csvLine([text.repeat(10)], ','))).toBeLessThan(SOON_MS);
      expect(tookMs(() => decoder.suggest(text))).toBeLessThan(SOON_MS);
    },
  );
});
