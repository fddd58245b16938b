import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;

beforeEach(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '3' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };
const bodyOf = (vin: unknown) => JSON.stringify({ vin });

interface Refused {
  what: string;
  headers?: Record<string, string>;
  body: string | undefined;
  status: number;
  says: string | RegExp;
}

describe('nothing of this is charged', () => {
  const sixteen = VIN.slice(0, 16);
  test.each<Refused>([
    { what: 'no vin', headers: json, body: '{}', status: 400, says: 'vin is missing.' },
    { what: 'an empty vin', headers: json, body: bodyOf(''), status: 400, says: 'vin is empty.' },
    { what: 'a blank vin', headers: json, body: bodyOf('   '), status: 400, says: /The VIN is empty/ },
    { what: '64 characters', headers: json, body: bodyOf('A'.repeat(64)), status: 400, says: /has 64\./ },
    { what: '65 characters', headers: json, body: bodyOf('A'.repeat(65)), status: 400, says: /longer than 64/ },
    { what: 'a number', headers: json, body: bodyOf(12345678901234), status: 400, says: 'vin must be text.' },
    { what: 'null', headers: json, body: bodyOf(null), status: 400, says: 'vin must be text.' },
    { what: 'a list', headers: json, body: bodyOf([VIN]), status: 400, says: 'vin must be text.' },
    { what: 'a body that is a list', headers: json, body: `[{"vin":"${VIN}"}]`, status: 400, says: /JSON object/ },
    { what: 'a body that is null', headers: json, body: 'null', status: 400, says: /JSON object/ },
    { what: 'malformed JSON', headers: json, body: `{"vin":"${VIN}"`, status: 400, says: /not valid JSON/ },
    { what: 'an empty body', headers: json, body: '', status: 400, says: /body is empty/ },
    { what: 'no body at all', body: undefined, status: 400, says: /JSON object/ },
    { what: '16 characters', headers: json, body: bodyOf(sixteen), status: 400, says: /has 16\./ },
    { what: '18 characters', headers: json, body: bodyOf(`${VIN}1`), status: 400, says: /has 18\./ },
    {
      what: 'the letter I',
      headers: json,
      body: bodyOf(`I${VIN.slice(1)}`),
      status: 400,
      says: /Position 1 .* digit 1/,
    },
    { what: 'the letter O', headers: json, body: bodyOf(`${sixteen}O`), status: 400, says: /Position 17 .* digit 0/ },
    { what: 'the letter Q', headers: json, body: bodyOf(`${sixteen}Q`), status: 400, says: /Position 17 .* digit 0/ },
    {
      what: 'a look-alike',
      headers: json,
      body: bodyOf(`1НG${VIN.slice(3)}`),
      status: 400,
      says: /Position 2 .*U\+041D/,
    },
    { what: 'a NUL', headers: json, body: bodyOf(`1H\0${VIN.slice(3)}`), status: 400, says: /Position 3 .*U\+0000/ },
    {
      what: 'an emoji',
      headers: json,
      body: bodyOf(`1H🚗${VIN.slice(3)}`),
      status: 400,
      says: /Position 3 .*U\+1F697/,
    },
    {
      what: 'plain text',
      headers: { 'content-type': 'text/plain' },
      body: VIN,
      status: 400,
      says: 'The body is not valid JSON.',
    },
    {
      what: 'XML',
      headers: { 'content-type': 'text/xml' },
      body: `<vin>${VIN}</vin>`,
      status: 400,
      says: /not valid JSON/,
    },
    {
      what: 'a form',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `vin=${VIN}`,
      status: 400,
      says: /not valid JSON/,
    },
    {
      what: 'multipart, whatever is in it',
      headers: { 'content-type': 'Multipart/Form-Data; boundary=x' },
      body: bodyOf(VIN),
      status: 415,
      says: /as JSON/,
    },
    { what: 'a mebibyte', headers: json, body: bodyOf('A'.repeat(2 ** 20)), status: 413, says: /too large/ },
    {
      what: 'the VIN in a prototype only',
      headers: json,
      body: `{"__proto__":{"vin":"${VIN}"}}`,
      status: 400,
      says: /vin is missing/,
    },
    {
      what: 'an empty key',
      headers: { ...json, 'x-api-key': '' },
      body: bodyOf(VIN),
      status: 401,
      says: 'The API key is invalid or inactive.',
    },
    {
      what: 'an empty key beside another',
      headers: { ...json, 'x-api-key': ' ', authorization: 'Bearer mq_live_x' },
      body: bodyOf(VIN),
      status: 401,
      says: 'The API key is invalid or inactive.',
    },
    {
      what: 'an unknown key',
      headers: { ...json, 'x-api-key': 'mq_live_unknown' },
      body: bodyOf(VIN),
      status: 401,
      says: 'The API key is invalid or inactive.',
    },
    {
      what: 'a bad key with a bad body: the key comes first',
      headers: { 'content-type': 'text/plain', authorization: 'Bearer nonsense' },
      body: '{',
      status: 401,
      says: 'The API key is invalid or inactive.',
    },
  ])('$what: $status', async ({ headers, body, status, says }) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/decode',
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { payload: body }),
    });
    expect(response.json()).toEqual({ error: expect.stringMatching(says) });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    // The id identifies the refusal of a key in the portal; nothing is stored under it.
    expect('x-request-id' in response.headers).toBe(status === 401);
    expect(await service.charged()).toBe(0);
    expect(Object.prototype).not.toHaveProperty('limit');
  });

  test('a valid key in the wrong place is not taken for a public request', async () => {
    const key = await service.keyFor('business');
    for (const headers of [
      { authorization: key },
      { 'x-service-auth': key },
      { 'api-key': key },
      { cookie: `key=${key}` },
    ]) {
      const response = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: VIN } });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toEqual({ error: expect.stringContaining('x-api-key') });
    }
    expect(await service.charged()).toBe(0);
  });
});

test('without a key, the networks of one IPv6 /48 get 2,000 decodes at once together, others go on', async () => {
  await using shared = await testService({ TRUST_PROXY: 'loopback' });
  const vins = Array.from({ length: 10 }, () => VIN);
  const from = (address: string) =>
    shared.app.inject({
      method: 'POST',
      url: '/api/decode/batch',
      headers: { ...json, 'x-forwarded-for': address },
      body: JSON.stringify({ vins }),
    });
  const malformed = {
    method: 'POST',
    url: '/api/decode/batch',
    body: JSON.stringify({ vins: ['x', 'y', 'z'] }),
  } as const;
  for (let times = 0; times < 20; times++) {
    await shared.app.inject({ ...malformed, headers: { ...json, 'x-forwarded-for': '2001:db8:1::1' } });
    expect((await from('2001:db8:1:fffe::1')).statusCode).toBe(times < 10 ? 200 : 429);
  }
  for (let network = 0; network < 190; network++) {
    expect((await from(`2001:db8:1:${network.toString(16)}::1`)).statusCode).toBe(200);
  }
  const refused = await from('2001:db8:1:ffff::1');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBeDefined();
  expect(refused.json()).toMatchObject({ error: expect.stringContaining('in your network') });
  const vpic = (address: string) =>
    shared.app.inject({ url: `/api/vehicles/DecodeVinValues/${VIN}`, headers: { 'x-forwarded-for': address } });
  expect((await vpic('2001:db8:1:fffd::1')).statusCode).toBe(429);
  expect((await vpic('2001:db8:2::2')).statusCode).toBe(200);
  expect((await from('2001:db8:2::1')).statusCode).toBe(200);
  expect((await from('192.0.2.1')).statusCode).toBe(200);
  expect(await shared.charged()).toBe(2_021);
});
