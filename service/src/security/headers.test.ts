import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { plainAddress } from '../kernel/http/browser-safety.ts';
import { contractOf } from '../testing/contract/description.ts';
import { signUp } from '../people/testing/people.ts';
import { type TestService, testService } from '../testing/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService({ BASE_URL: 'https://vin.example.com' });
});

afterAll(() => service[Symbol.asyncDispose]());

/** Headers that differ from answer to answer, and do not concern safety. */
const PASSING = new Set([
  'date',
  'connection',
  'content-length',
  'allow',
  'etag',
  'location',
  'last-modified',
  'transfer-encoding',
]);

async function headersOf(url: string, method: 'GET' | 'POST' = 'GET'): Promise<Record<string, unknown>> {
  return passing((await service.app.inject({ method, url })).headers);
}

function passing(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PASSING.has(name)));
}

/** Headers about the caller, and the rest of the month. */
const TOLD_CALLERS = /^(?:www-authenticate|x-ratelimit-.*|x-service-.*|x-request-id|x-catalog-version)$/;

const ALWAYS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const CLOSED = {
  ...ALWAYS,
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
};
const API = {
  ...CLOSED,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Service-Auth, X-Service-Client, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Report-Id, X-Catalog-Version, Idempotency-Replayed, ETag, Location, Retry-After',
  'cache-control': 'no-store',
};
const PAGE = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  vary: 'Origin',
};

/** Without the header that isolates the window of a signed-in person, and makes the browser start a process first. */
const { 'cross-origin-opener-policy': _opener, ...PUBLIC_PAGE } = PAGE;

test.each(['/sign-in', '/sign-up', '/forgot'])('the page %s carries these headers and no others', async (url) => {
  expect(await headersOf(url)).toEqual(PAGE);
});

test('only a page whose box reads bar codes may run WebAssembly', async () => {
  const reader = await signUp(service, 'codes@example.com', 'codes');
  const forCodes = PAGE['content-security-policy'].replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
  expect(await headersOf('/')).toEqual({
    ...PUBLIC_PAGE,
    'content-security-policy': forCodes,
    vary: 'accept-encoding',
  });
  const policyOf = async (url: string) => (await reader.get(url)).headers['content-security-policy'];
  expect(await policyOf('/portal/codes/try')).toBe(forCodes);
  expect(await policyOf('/portal/codes/decodes')).toBe(PAGE['content-security-policy']);
});

test('the reference is the same for all who read it, and is asked for again each time', async () => {
  const reference = { ...PUBLIC_PAGE, 'cache-control': 'private, no-cache', vary: 'accept-encoding' };
  expect(await headersOf('/docs')).toEqual(reference);
});

test.each(['/healthz', '/nowhere', '/assets/nothing.css'])('%s carries these headers and no others', async (url) => {
  expect(await headersOf(url)).toEqual(CLOSED);
});

test('files that a page loads carry these headers and no others, and may be cached', async () => {
  const page = await service.app.inject('/');
  const urls = [...page.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
  expect(urls.length).toBeGreaterThan(2);
  const { 'content-type': _type, ...closed } = CLOSED;
  for (const url of urls) {
    const { 'content-type': type, ...headers } = await headersOf(url);
    expect(type).toMatch(/^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml|font\/woff2)$/);
    const keep = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
    expect({ url, ...headers }).toEqual({ url, ...closed, ...keep });
  }
});

test('a redirect, a download and a part of a page carry these headers and no others', async () => {
  const reader = await signUp(service, 'bob@example.com', 'bob-motors');
  const { 'content-type': _type, ...closed } = CLOSED;
  expect(await headersOf('/portal')).toEqual({ ...closed, 'cache-control': 'no-store' });
  const payload =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nvin\r\n1HGCM82633A004352\r\n--x--\r\n';
  const type = 'multipart/form-data; boundary=x';
  const headers = { cookie: reader.cookie, 'sec-fetch-site': 'same-origin', 'content-type': type };
  const sent = await service.app.inject({ method: 'POST', url: '/portal/bob-motors/files', headers, payload });
  const file = String(sent.headers['location']);
  const download = await reader.get(`${file}/result.csv`);
  expect(passing(download.headers)).toEqual({
    ...closed,
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="a-decoded.csv"',
    'content-type': 'text/csv; charset=utf-8',
  });
  expect(passing((await reader.get(file, { 'hx-request': 'true' })).headers)).toEqual({
    ...PUBLIC_PAGE,
    'marque-part': 'yes',
  });
});

test("a preflight is answered with the API's permissions for any page, and nothing else", async () => {
  const { headers } = await service.app.inject({ method: 'OPTIONS', url: '/api/decode' });
  const { 'content-type': _type, ...api } = API;
  expect(passing(headers)).toEqual({
    ...api,
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-api-key',
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-max-age': '86400',
  });
});

test('every answer of the API carries these headers, and no others but those about the caller', async () => {
  const { 'content-type': _type, ...api } = API;
  const { operations } = await contractOf(service.app);
  for (const { path, method, security } of operations) {
    if (!path.startsWith('/api/')) continue;
    const { 'content-type': _type, ...headers } = await headersOf(path.replace(/\{\w+\}/, 'x'), method);
    for (const name of Object.keys(headers)) if (TOLD_CALLERS.test(name)) delete headers[name];
    // Only an answer that is the same for everybody may be cached by others.
    const isForAll = security?.length === 0 && headers['cache-control'] === 'public, max-age=3600';
    const expected = isForAll ? { ...api, 'cache-control': headers['cache-control'] } : api;
    expect({ path, ...headers }).toEqual({ path, ...expected });
  }
  expect(await headersOf('/api/nowhere')).toEqual(API);
});

test('a session cookie is for this site, over https, and out of the reach of scripts', async () => {
  const reader = await signUp(service, 'ada@example.com', 'ada-motors');
  await reader.post('/sign-out');
  const { headers } = await reader.post('/sign-in', { email: 'ada@example.com', password: 'correct horse battery' });
  const cookies = [headers['set-cookie'] ?? []].flat().filter((cookie) => cookie.includes('session_token'));
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; Secure/i);
    expect(cookie).toMatch(/; SameSite=(?:Lax|Strict)/i);
    expect(cookie).toMatch(/^__Secure-|^__Host-/);
    expect(cookie).not.toMatch(/; Domain=/i);
  }
});

test('an address read twice is as if it were read once: what decides on its kind and its route see the same', () => {
  const address = fc.string({ unit: fc.constantFrom(...'%%%2346acf/?x') }).map((text) => `/${text}`);
  fc.assert(fc.property(address, (url) => plainAddress(plainAddress(url)) === plainAddress(url)));
  for (const url of ['/%%361pi/usage', '/%6%31pi/usage', '/%2561pi/usage']) expect(plainAddress(url)).toBe(url);
  expect(plainAddress(`/%61pi/decode?${'%41'.repeat(5_000)}`)).toBe(`/api/decode?${'%41'.repeat(5_000)}`);
  // No route is as long: its escapes are not looked at.
  const long = `/${'%41'.repeat(5_000)}`;
  expect(plainAddress(long)).toBe(long);
});

test.each(['http://vin.example.com/api/usage', '/%61pi/usage?a=%61', '/ap%69/us%61ge'])(
  '%s has the headers of the API',
  async (url) => {
    expect(await headersOf(url)).toEqual(await headersOf('/api/usage'));
  },
);
