import { brotliDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';
import { EVENTS } from '../../webhooks/events.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '2' });
});

afterAll(() => service[Symbol.asyncDispose]());

const decode = (vin: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  service.app.inject({
    method: 'POST',
    url: '/decode',
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams({ vin }).toString(),
  });

test('the example asks for its engine at once, shows its time, and continues at the answer', async () => {
  const { body } = await service.app.inject('/');
  const asked = body.slice(body.indexOf('class="questions'));
  expect(asked.indexOf('name="engine"')).toBeGreaterThan(0);
  expect(asked.indexOf('name="engine"')).toBeLessThan(asked.indexOf('<details'));
  expect(body).toMatch(/decoded in (?:under )?\d+(?:\.\d)?\u00a0ms/);
  const engine = /name="engine" value="(Diesel[^"]*)"/.exec(asked)?.[1] ?? '';
  const answered = await service.app.inject(`/?${new URLSearchParams({ example: 'european', engine }).toString()}`);
  expect(answered.body).toContain('Clear the answers');
  expect(answered.body).toContain('Diesel</dd>');
});

describe('the decode box', () => {
  test('charges decodes as public usage, and nothing for a text that is not a VIN', async () => {
    const before = await service.charged();
    expect((await decode('nonsense', {}, '192.0.2.1')).body).toContain('Nothing was charged.');
    expect(await service.charged()).toBe(before);
    const decoded = await decode('1hgcm82633a004352', {}, '192.0.2.1');
    expect(decoded.body).toContain('2003 Honda Accord');
    expect(decoded.body).toContain('1 of 2 are left this month');
    expect(await service.charged()).toBe(before + 1);
  });

  test('answers of many who decode at once are not all made in one turn of the event loop', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const ended: number[] = [];
    const asked = Array.from({ length: 12 }, async (_, index) => {
      const { body } = await decode('1HGCM82633A004352', {}, `192.0.2.${100 + index}`);
      ended.push(turn);
      return body;
    });
    for (const body of await Promise.all(asked)) expect(body).toContain('2003 Honda Accord');
    clearImmediate(next);
    expect(new Set(ended).size).toBeGreaterThan(8);
  });

  test('shows no field that needs a plan', async () => {
    const { body } = await decode('1HGCM82633A004352');
    expect(body).not.toContain('3.0L V6');
    expect(body).not.toContain('internal');
  });

  test('says when the month is used up', async () => {
    for (let count = 0; count < 2; count++) await decode('1HGCM82633A004352', {}, '192.0.2.2');
    const before = await service.charged();
    expect((await decode('1HGCM82633A004352', {}, '192.0.2.2')).body).toContain('are used at your address');
    expect(await service.charged()).toBe(before);
  });

  test('offers the likely VIN for a mistyped one', async () => {
    expect((await decode('1HGCM82633A0O4352')).body).toContain('href="/?vin=1HGCM82633A004352"');
  });

  test('refuses a form from another site', async () => {
    const foreign = await decode('1HGCM82633A004352', {
      'sec-fetch-site': 'cross-site',
      origin: 'https://example.com',
    });
    expect(foreign.statusCode).toBe(403);
    expect(foreign.headers['content-type']).toContain('text/html');
  });

  test('shows typed characters as text, never as markup', async () => {
    const { body } = await decode('"><script>alert(1)</script>');
    expect(body).not.toContain('<script>alert');
  });
});

test('the reference describes every event that a webhook gets, with the meaning of each field', async () => {
  const { body } = await service.app.inject('/docs/webhooks');
  for (const [type, says] of Object.entries(EVENTS)) {
    expect(body).toContain(`<h2 class="mono">${type}</h2>`);
    expect(body).toContain(says.replaceAll('"', '&quot;'));
  }
  expect(body).toContain('When the count resets (UTC).');
});

test('the examples are free, whichever is asked for', async () => {
  const before = await service.charged();
  for (const [name, title] of [
    ['european', '2012 Volkswagen Golf'],
    ['american', 'Honda Accord'],
    ['motorcycle', 'BMW R 1200 GS'],
    ['unheard-of', '2012 Volkswagen Golf'],
  ]) {
    expect((await service.app.inject(`/?example=${name}`)).body).toContain(title);
  }
  expect(await service.charged()).toBe(before);
});

test("an example's open questions can be answered, in place and by the address, and charge nothing", async () => {
  const before = await service.charged();
  expect((await service.app.inject('/')).body).toContain('Do you know the engine?');
  const answered = await service.app.inject({
    url: '/?example=european&engine=Diesel%2F1598%2F77',
    headers: { 'hx-request': 'true' },
  });
  expect(answered.headers['marque-part']).toBe('yes');
  expect(answered.body).toMatch(/<dt>Power<\/dt><dd>(<[^>]+>)?77/);
  expect(answered.body).toContain('name="example" value="european"');
  expect(await service.charged()).toBe(before);
});

test('everything that is offered has a place to begin', async () => {
  const { body } = await service.app.inject('/');
  const links = [...body.matchAll(/href="(\/docs[^"#]*)(#[^"]*)?"/g)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, path = '', anchor = ''] of links) {
    const page = await service.app.inject(path);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(anchor === '' ? '<main' : `id="${anchor.slice(1)}"`);
  }
  expect(body).toContain('id="run-your-own"');
});

test('a shared link says what it leads to, and search engines stay out of private pages', async () => {
  const { body } = await service.app.inject('/');
  expect(body).toContain('<meta property="og:title" content="Decode any VIN"/>');
  expect(body).toContain('How accurate it is');
  const robots = await service.app.inject('/robots.txt');
  expect(robots.headers['content-type']).toContain('text/plain');
  expect(robots.body).toContain('Disallow: /portal');
});

describe('every page', () => {
  test('runs only what this service serves', async () => {
    const { headers } = await service.app.inject('/');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; object-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/,
    );
    expect(headers['content-security-policy']).not.toMatch(/'unsafe-/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('loads less than 60 kB compressed besides fonts, the landing page less than 30', async () => {
    for (const [path, most] of [
      ['/', 30_000],
      ['/docs', 60_000],
      ['/docs/decode', 60_000],
      ['/docs/vpic', 60_000],
    ] as const) {
      const page = await service.app.inject({ url: path, headers: { 'accept-encoding': 'br' } });
      const isCompressed = page.headers['content-encoding'] === 'br';
      const body = isCompressed ? brotliDecompressSync(page.rawPayload).toString() : page.body;
      const assets = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
      let bytes = page.rawPayload.length;
      for (const url of new Set(assets)) {
        if (url.endsWith('.woff2')) continue;
        const asset = await service.app.inject({ url, headers: { 'accept-encoding': 'br' } });
        expect(asset.statusCode).toBe(200);
        expect(brotliDecompressSync(asset.rawPayload).length).toBeGreaterThan(100);
        bytes += asset.rawPayload.length;
      }
      expect(bytes).toBeLessThan(most);
    }
  });

  test('loads fonts and nothing else from the stylesheet, each under an address that may be kept for good', async () => {
    const { body } = await service.app.inject('/');
    const sheet = /href="(\/assets\/marque\.[^"]+\.css)"/.exec(body)?.[1] ?? '';
    const css = (await service.app.inject(sheet)).body;
    const urls = [...css.matchAll(/url\(([^)]+)\)/g)].map(([, url = '']) => url);
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const font = await service.app.inject(url);
      expect(font.headers['content-type']).toBe('font/woff2');
      expect(font.headers['cache-control']).toContain('immutable');
    }
  });

  test('that does not exist is a page for people and JSON for programs', async () => {
    const page = await service.app.inject({ url: '/no/such/page', headers: { accept: 'text/html,*/*' } });
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('Go to the start page');
    expect((await service.app.inject('/no/such/page')).json()).toEqual({ error: 'There is nothing at this address.' });
    const api = await service.app.inject({ url: '/api/nothing', headers: { accept: 'text/html' } });
    expect(api.json()).toHaveProperty('error');
  });

  test('of a made-up asset is 404', async () => {
    expect((await service.app.inject('/assets/marque.css')).statusCode).toBe(404);
  });
});
