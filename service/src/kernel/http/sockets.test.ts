import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

const HEADERS_TIMEOUT = 5_000;
const BODY_TIMEOUT = 10_000;
const VIN = '1HGCM82633A004352';

let service: TestService;
let origin: string;

beforeAll(async () => {
  service = await testService();
  origin = await service.app.listen({ port: 0 });
});

afterAll(async () => service[Symbol.asyncDispose]());

/** A decode, as bytes, that expects something of the service. */
const postWith = (expectation: string, body: string): string =>
  ['POST /api/decode HTTP/1.1', 'Host: x', 'Connection: close', `Expect: ${expectation}`]
    .concat(`Content-Length: ${body.length}`, '', body)
    .join('\r\n');

/** Sends bytes, and returns all that comes back. */
const raw = async (text: string, isEnd = true): Promise<string> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  if (isEnd) socket.end(text);
  else socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
};

describe('on a real socket', () => {
  test.each([2 ** 20, 32 * 2 ** 20])('a body of %i bytes is refused, and the client can read why', async (bytes) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${origin}/api/decode`, { method: 'POST', headers, body: 'A'.repeat(bytes) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: 'The body is too large: this address takes at most 16,384 bytes.' });
  });

  test.each([6, 12, 19])('a refusal reaches a client that closes after it, with a body of %i MB', async (megabytes) => {
    const { port } = new URL(origin);
    const body = Buffer.alloc(megabytes * 1_000_000, 'A');
    for (const [path, type, status] of [
      ['/api/decode', 'application/json', '413'],
      ['/api/jobs', 'application/pdf', '401'],
      ['/api/decode', 'multipart/form-data; boundary=x', '413'],
    ] as const) {
      const socket = connect(Number(port), '127.0.0.1');
      const failed = new Promise((_, reject) => void socket.once('error', reject));
      const sent = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
      // Like urllib: it reads nothing before it has sent everything.
      socket.pause();
      socket.write(sent);
      await Promise.race([failed, new Promise((done) => void socket.write(body, done))]);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toContain('{"error":"');
    }
  });

  test('bytes that are not HTTP get the same kind of answer', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"The request cannot be read."}');
  });

  test('bytes that are not HTTP are answered after the requests before them', async () => {
    const body = `{"vin":"${VIN}"}`;
    const decode = `POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await raw(`${decode}${decode}NONSENSE\r\n\r\n`, false);
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200', '400']);
    // A request whose own body is broken is not waited for.
    const broken = 'POST /api/decode HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nNONSENSE';
    expect(await raw(`${decode}${broken}`, false)).toMatch(/^HTTP\/1\.1 200 [^]+HTTP\/1\.1 400 /);
  });

  test('a body in a coding that nothing here undoes is refused', async () => {
    const before = await service.charged();
    const chunk = `25\r\n{"vin":"${VIN}"}          \r\n0\r\n\r\n`;
    const head = 'POST /api/decode HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding:';
    const refused = await raw(`${head} gzip, chunked\r\n\r\n${chunk}`, false);
    expect(refused).toMatch(/^HTTP\/1\.1 501 /);
    expect(refused).toContain('{"error":"Transfer-Encoding must be chunked, or be left out."}');
    expect(await service.charged()).toBe(before);
    expect(await raw(`${head} Chunked\r\n\r\n${chunk}`, false)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a request of HTTP/1.1 without a Host, or with two, is refused in the same words as others, and one of 1.0 is not', async () => {
    const answer = await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"The request has no Host header."}');
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const twice = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nHOST: x\r\nX-Of: host\r\nConnection: close\r\n\r\n');
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    expect(twice).toContain('{"error":"The request has more than one Host header."}');
  });

  test('an expectation that is not known is refused in words, and the known one is met', async () => {
    const body = `{"vin":"${VIN}"}`;
    const before = await service.charged();
    const refused = await raw(postWith('the-best', body), false);
    expect(refused).toMatch(/^HTTP\/1\.1 417 /);
    expect(refused).toContain('{"error":"Expect must be 100-continue, or be left out."}');
    expect(await service.charged()).toBe(before);
    expect(await raw(postWith('100-continue', body), false)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('headers beyond 16 KiB are refused', async () => {
    const answer = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'A'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('{"error":"The request headers are too large."}');
  });

  test('more than 100 headers are refused', async () => {
    const sent = [98, 99, 1_500].map((count) =>
      raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a: b\r\n'.repeat(count)}\r\n`),
    );
    const [most = '', ...over] = await Promise.all(sent);
    expect(most).toMatch(/^HTTP\/1\.1 200 /);
    for (const answer of over) expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(over[0]).toContain('The request has more than 100 headers.');
  });

  test.each(['PROPFIND', 'TRACE'])('an unsupported method is refused like any other: %s', async (method) => {
    const answer = await raw(`${method} /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).not.toContain('X-A: b');
  });

  test('of requests that nobody waited for, few are answered, and the connection ends', async () => {
    const { port } = new URL(origin);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
    await closed;
    const statuses = [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    // A reset may take answers with it that have not been read yet.
    expect(statuses.length).toBeLessThanOrEqual(9);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(8);
  });

  test('a decode over the wire has all its headers', async () => {
    const response = await fetch(`${origin}/api/decode`, { method: 'POST', body: new Blob([`{"vin":"${VIN}"}`]) });
    expect(response.status).toBe(200);
    expect([...response.headers.keys()]).toEqual(
      expect.arrayContaining([
        'x-service-auth',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-request-id',
      ]),
    );
  });
});

test.each([
  ['headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['body', 'POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'],
])('%s that do not come are waited for no longer than was promised', async (what, begin) => {
  const promisedMs = what === 'headers' ? HEADERS_TIMEOUT : BODY_TIMEOUT;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const began = performance.now();
  socket.write(begin);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  // Node's own limits are a minute and more.
  expect(performance.now() - began).toBeLessThan(promisedMs + 40_000);
});

test('a client that goes away in the middle of its body is not an error of the service', async () => {
  await using alone = await testService();
  const address = await alone.app.listen({ port: 0 });
  for (const path of ['/api/decode', '/sign-in']) {
    const type = path === '/sign-in' ? 'application/x-www-form-urlencoded' : 'application/json';
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    const seen = once(alone.app.server, 'request');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: 99\r\n\r\n{`,
    );
    const [raw]: IncomingMessage[] = await seen;
    if (raw === undefined) throw new Error('no request');
    socket.destroy();
    await new Promise((resolve) => raw.once('close', resolve));
    expect((await fetch(`${address}/healthz`)).ok).toBe(true);
  }
  expect(alone.logged()).not.toContain('"stack"');
  expect(alone.logged()).not.toContain('"level":50');
});
