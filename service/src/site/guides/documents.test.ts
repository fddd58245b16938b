import { afterAll, beforeAll, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';
import { HELP } from '../../workspaces/pages/frame.tsx';
import { guides, linkOf, pageOf } from './documents.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(() => service[Symbol.asyncDispose]());

test('every document of the project is a guide but for those with a page of their own', () => {
  const names = guides().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['questions', 'api', 'vpic', 'operations', 'privacy']));
  expect(names).not.toContain('accuracy');
  expect(guides().filter(({ title }) => title === '')).toEqual([]);
});

test('a link of a document leads to its page, and to nothing that only the clone has', () => {
  expect(linkOf('vpic.md#keys')).toBe('/docs/guides/vpic#keys');
  expect(linkOf('accuracy.md')).toBe('/#accuracy');
  expect(linkOf('decisions/start.md')).toBeUndefined();
  expect(linkOf('../catalog/evaluation/README.md')).toBeUndefined();
  expect(pageOf('docs/operations.md')).toBe('/docs/guides/operations');
  expect(pageOf('docs/nothing.md')).toBeUndefined();
});

test('a page of the portal leads to an answer that is there', async () => {
  for (const { href } of Object.values(HELP)) {
    const [path = '', anchor] = href.split('#');
    const { statusCode, body } = await service.app.inject(path);
    expect([path, statusCode]).toEqual([path, 200]);
    expect(body).toContain(anchor === undefined ? '<h1>' : ` id="${anchor}"`);
  }
});

test('each guide is there as Markdown, with the address of this service, and in /llms.txt', async () => {
  const { body: list, headers } = await service.app.inject('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  for (const { name, path, title } of guides()) {
    expect(list).toContain(`[${title}]`);
    expect(list).toContain(`${path}.md)`);
    const { statusCode, body } = await service.app.inject(`${path}.md`);
    expect([name, statusCode]).toEqual([name, 200]);
    expect(body).not.toContain('YOUR-SERVICE');
  }
});

test('an address that does not exist offers the search', async () => {
  const { statusCode, body } = await service.app.inject({
    url: '/docs/guides/nothing',
    headers: { accept: 'text/html' },
  });
  expect(statusCode).toBe(404);
  expect(body).toContain('action="/docs/search"');
});
