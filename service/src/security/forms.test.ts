import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';

const FORM = 'application/x-www-form-urlencoded';

let service: TestService;
let owner: Reader;

beforeAll(async () => {
  service = await testService();
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
});

afterAll(() => service[Symbol.asyncDispose]());

const sendBare = (app: FastifyInstance, headers: Record<string, string>): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url: '/sign-up', headers: { 'content-type': FORM, ...headers }, payload: '' });

describe('every form', () => {
  const paths = [
    '/decode',
    '/sign-in',
    '/sign-up',
    '/sign-out',
    '/forgot',
    '/account/close',
    '/portal/ada-motors/keys',
    '/admin/audit/verify',
  ];

  test.each(paths)('%s is refused when another site sends it', async (path) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
    ]) {
      expect((await owner.post(path, {}, headers)).statusCode).toBe(403);
    }
    const bare = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { cookie: owner.cookie, 'content-type': FORM },
      payload: '',
    });
    expect(bare.statusCode).toBe(403);
  });

  test('tells a program, a foreign page and a page under another address apart, and what to change', async () => {
    const bare = await sendBare(service.app, { host: 'localhost:8080' });
    expect(bare.body).toContain('A program has to send forms with the header Origin: http://localhost:8080<');
    const foreign = await sendBare(service.app, { origin: 'https://evil.example' });
    expect(foreign.body).toContain('Open the page here and try again.');
    await using elsewhere = await testService({ BASE_URL: 'https://vin.example.com' });
    expect((await sendBare(elsewhere.app, {})).body).toContain('Origin: https://vin.example.com<');
    const byAddress = await sendBare(elsewhere.app, { origin: 'https://10.0.0.5', 'sec-fetch-site': 'same-origin' });
    expect(byAddress.body).toContain('Open the page at https://vin.example.com and try again.');
    expect([bare, foreign, byAddress].map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });

  test.each([
    ['application/json', '{"email":"eve@example.com","slug":"eve-motors"}'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="slug"\r\n\r\neve\r\n--x--\r\n'],
  ])('sent as %s says how forms are sent, and reads nothing', async (type, payload) => {
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    for (const url of ['/sign-up', '/sign-in', '/decode']) {
      const answer = await service.app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode).toBe(415);
      expect(answer.body).toContain(`Send the form with the header Content-Type: ${FORM}.`);
    }
  });

  test('is taken from older browsers that say where they come from in Origin alone', async () => {
    const origin = { origin: 'http://localhost', host: 'localhost' };
    const headers = { 'content-type': FORM, ...origin };
    const answer = await service.app.inject({ method: 'POST', url: '/decode', headers, payload: 'vin=x' });
    expect(answer.statusCode).toBe(200);
    const foreign = { ...headers, origin: 'http://localhost.evil.example' };
    expect(
      (await service.app.inject({ method: 'POST', url: '/decode', headers: foreign, payload: '' })).statusCode,
    ).toBe(403);
  });
});

test("if BASE_URL is set, no other host is an origin of its own, whatever the client's headers", async () => {
  await using configured = await testService({ BASE_URL: 'https://vin.example.com' });
  const post = async (headers: Record<string, string>) => {
    const request = {
      method: 'POST',
      url: '/decode',
      headers: { 'content-type': FORM, ...headers },
      payload: 'vin=x',
    } as const;
    return (await configured.app.inject(request)).statusCode;
  };
  for (const scheme of ['http', 'https']) {
    const forged = { host: 'evil.example', origin: `${scheme}://evil.example` };
    expect(await post(forged)).toBe(403);
    expect(await post({ ...forged, 'sec-fetch-site': 'same-origin' })).toBe(403);
  }
  expect(await post({ host: '127.0.0.1:8080', origin: 'https://vin.example.com' })).toBe(200);
});
