import { once } from 'node:events';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';
import { SILENT } from './health.ts';

const VIN = '1HGCM82633A004352';

/** Serves all tests that neither stop it nor read all that it logs. */
let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(async () => service[Symbol.asyncDispose]());

const request = (method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD', url: string, headers = {}, payload?: string) =>
  service.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });

describe('addresses', () => {
  test('an unknown path is 404, for any method and body', async () => {
    for (const response of [
      await request('GET', '/nowhere'),
      await request('POST', '/api/nowhere', { 'content-type': 'application/json' }, '{'),
      await request('POST', '/nowhere', { 'content-type': 'text/plain' }, 'A'.repeat(100_000)),
    ]) {
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ error: 'There is nothing at this address.' });
    }
  });

  test('a known path under another method is 405 with Allow', async () => {
    const cases = [
      [await request('GET', '/api/decode'), 'POST'],
      [await request('HEAD', '/api/decode'), 'POST'],
      [await request('DELETE', `/api/vin/${VIN}?a=b`), 'GET, HEAD'],
      [await request('POST', '/healthz', {}, '{'), 'GET, HEAD'],
    ] as const;
    for (const [response, allow] of cases) {
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe(allow);
    }
    expect(cases[0][0].json()).toEqual({ error: expect.stringContaining('Use POST.') });
  });

  test('a path that is not a valid URL is 400', async () => {
    const response = await request('GET', '/api/vin/%E0%A4%A');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: 'The address is not a valid URL path.' });
  });

  test('the front page suggests a first request', async () => {
    const response = await request('GET', '/');
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('/api/decode');
  });
});

describe('health', () => {
  test('a running service is alive and ready', async () => {
    expect((await request('GET', '/healthz')).json()).toEqual({ status: 'ok' });
    expect((await request('GET', '/readyz')).json()).toEqual({ status: 'ready' });
  });

  test('without its database a service is alive and not ready', async () => {
    await using alone = await testService();
    await alone.app.ready();
    expect(await alone.charged()).toBe(0);
    await alone.database.close();
    expect((await alone.app.inject('/healthz')).statusCode).toBe(200);
    const response = await alone.app.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.json()).toEqual({ error: SILENT });
  });

  test('a stopping service answers the open request, charges it, and is not ready meanwhile', async () => {
    await using stopping = await testService();
    const address = await stopping.app.listen({ port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    await once(socket, 'connect');
    const body = JSON.stringify({ vin: VIN });
    // Half a request: the service waits for the rest of it.
    socket.write(
      `POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await once(stopping.app.server, 'request');
    const closing = stopping.app.close();
    socket.write(body.slice(5));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain('"model":"Accord"');
    expect(answer.toLowerCase()).toContain('connection: close');
    await closing;
    expect(await stopping.charged()).toBe(1);
    expect((await fetch(`${address}/readyz`).catch(() => undefined))?.ok).not.toBe(true);
  });
});

describe('browsers', () => {
  test('any page may call the API, without credentials, and read its headers', async () => {
    const preflight = await request('OPTIONS', '/api/decode', {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key',
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('x-api-key'),
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const url of ['/api/decode', '/api/nowhere', `/api/vin/${VIN}`]) {
      const response = await request('GET', url, { origin: 'https://shop.example' });
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining');
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  test('everything else is closed to other pages', async () => {
    const response = await request('GET', '/', { origin: 'https://shop.example' });
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    expect((await request('OPTIONS', '/', preflight)).statusCode).toBe(405);
  });

  test('every answer keeps a browser from guessing, framing and leaking', async () => {
    for (const url of ['/nowhere', '/healthz', '/api/decode', '/openapi.json']) {
      expect((await request('GET', url)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      });
    }
  });

  test('only a service that is reached by https asks to be always reached so', async () => {
    expect((await request('GET', '/')).headers).not.toHaveProperty('strict-transport-security');
    await using secure = await testService({ BASE_URL: 'https://vin.example.com' });
    expect((await secure.app.inject('/')).headers).toHaveProperty('strict-transport-security');
  });
});

test('each answered request is one line in the log, with the id that its other lines have', async () => {
  await using alone = await testService();
  await alone.app.inject({ url: '/api/usage', headers: { 'x-api-key': 'mq_live_none' } });
  await alone.app.inject('/healthz');
  const lines: { msg: string; reqId?: string; route?: string; status?: number }[] = alone
    .logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const refused = lines.find(({ msg }) => msg === 'key refused');
  const answered = lines.filter(({ msg }) => msg === 'answered');
  expect(answered).toMatchObject([{ reqId: refused?.reqId, route: '/api/usage', status: 401 }]);
  expect(refused?.reqId).toBeDefined();
});
