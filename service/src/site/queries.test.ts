import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

import { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { administrator, signUp } from '../people/testing/people.ts';
import { ENGINES } from '../testing/databases.ts';
import { serviceOn, type TestService, testService } from '../testing/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(() => service[Symbol.asyncDispose]());

test('an address that repeats a parameter is refused on every page, and is not counted as a fault of the service', async () => {
  const root = await administrator(service, 'root@example.com');
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  for (const [reader, path, name] of [
    [owner, '/portal/ada-motors/reports', 'after'],
    [owner, '/portal/ada-motors/reports', 'vin'],
    [owner, '/sign-in', 'next'],
    [root, '/admin', 'vin'],
    [root, '/admin', 'state'],
    [root, '/admin', 'after'],
    [root, '/admin/audit', 'subject'],
    [root, '/admin/audit', 'before'],
    [root, '/admin/workspaces', 'slug'],
    [root, '/admin/workspaces', 'after'],
  ] as const) {
    const answer = await reader.get(`${path}?${name}=a&${name}=b`);
    expect(answer.statusCode, `${path}?${name}`).toBe(400);
    expect((await reader.get(`${path}?${name}=a`)).statusCode, `${path}?${name} once`).toBeLessThan(400);
  }
  expect(service.logged()).not.toContain('"level":50');
});

test.each(ENGINES)('on %s, an address with U+0000 is refused on every page, and ends no download', async (engine) => {
  await using fresh = await serviceOn(engine);
  const owner = await signUp(fresh, 'ada@example.com', 'ada-motors');
  for (const path of ['decodes', 'decodes.csv', 'reports', 'requests']) {
    const answers = ['key', 'search', 'after', 'vin'].map((name) =>
      owner.get(`/portal/ada-motors/${path}?${name}=%00`),
    );
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400]);
  }
});

test.each(['/changelog', '/status', '/privacy'])(
  'many visitors of %s at once get one page, which is read and written once',
  async (path) => {
    await using fresh = await testService();
    // Pages are kept for a second, which a slow machine may need for them.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const read = vi.spyOn(Kysely.prototype, 'selectFrom');
    const written = vi.spyOn(zlib, 'brotliCompressSync');
    syncBuiltinESMExports();
    const visit = () => fresh.app.inject({ url: path, headers: { 'accept-encoding': 'br' } });
    await visit();
    const queries = read.mock.calls.length;
    const answers = await Promise.all(Array.from({ length: 20 }, visit));
    expect(read.mock.calls.length - queries).toBeLessThan(answers.length);
    expect(written.mock.calls.length).toBeLessThan(3);
    for (const spy of [written, read, now]) spy.mockRestore();
    syncBuiltinESMExports();
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body.length > 100}`))).toEqual(
      new Set(['200 true']),
    );
  },
);
