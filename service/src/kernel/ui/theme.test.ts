import { afterAll, beforeAll, expect, test } from 'vitest';

import { signUp } from '../../people/testing/people.ts';
import { Reader } from '../../testing/reader.ts';
import { type TestService, testService } from '../../testing/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(() => service[Symbol.asyncDispose]());

const themeIn = (body: string) => /<html[^>]*?(?: data-theme="(\w+)")?>/.exec(body)?.[1] ?? 'system';

test('the server writes a chosen theme into every page, kept ones and those of a workspace', async () => {
  const reader = await signUp(service, 'ada@example.com', 'ada-motors');
  const pages = ['/', '/docs', '/status', '/nothing-there'];
  const visitor = new Reader(service.app);
  for (const theme of ['dark', 'light', 'system']) {
    for (const person of [reader, visitor]) {
      await person.post('/theme', { theme });
      for (const page of pages) {
        const { body } = await person.get(page, { accept: 'text/html' });
        expect(themeIn(body), `${theme} ${page}`).toBe(theme);
      }
    }
    await reader.post('/theme', { theme });
    expect(themeIn((await reader.get('/portal/ada-motors/keys')).body)).toBe(theme);
    expect(themeIn((await service.app.inject('/docs')).body)).toBe('system');
  }
});

test('a page that a browser kept in one theme is not taken for the same page in another', async () => {
  const { headers } = await service.app.inject('/docs');
  const again = (cookie: string) =>
    service.app.inject({ url: '/docs', headers: { cookie, 'if-none-match': String(headers['etag']) } });
  expect((await again('')).statusCode).toBe(304);
  expect((await again('marque.theme=dark')).statusCode).toBe(200);
});

test('an unknown theme is ignored', async () => {
  const visitor = new Reader(service.app);
  await visitor.post('/theme', { theme: '"><script>' });
  expect(visitor.cookie).toBe('');
  const { body } = await service.app.inject({ url: '/', headers: { cookie: 'marque.theme="><script>alert(1)' } });
  expect(body).not.toContain('alert(1)');
});

test.each([
  ['http://localhost/docs/vpic?a=b#c', '/docs/vpic?a=b'],
  ['http://localhost//evil.example/', '/'],
  ['http://localhost/\\evil.example/', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('a choice made at %s leads back to %s', async (referer, path) => {
  const answer = await new Reader(service.app).post('/theme', { theme: 'dark' }, { referer });
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe(path);
});
