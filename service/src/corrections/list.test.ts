import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { FairQueue } from '../kernel/limits/fair-queue.ts';
import { systemClock } from '../kernel/clock.ts';
import { revokeKey } from '../workspaces/index.ts';
import { testService, type TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';

const CLAIM = {
  vin: '1HGCM82633A004352',
  expectedManufacturer: 'Honda',
  expectedModel: 'Accord',
  expectedBodyStyle: 'Coupe',
  expectedModelYear: '2003',
};

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

afterAll(() => service[Symbol.asyncDispose]());

const list = (headers: Record<string, string>, query = '') =>
  service.app.inject({ url: `/api/reports${query}`, headers });

test('the list of reports is for workspaces only', async () => {
  expect((await list({})).statusCode).toBe(401);
  expect((await list({ 'x-api-key': 'mq_live_x' })).statusCode).toBe(401);
});

test('a workspace gets only its own reports, page by page, newest first, and a limit out of range is refused', async () => {
  const [mine, theirs] = [await service.keyFor('business'), await service.keyFor('free')];
  const report = (apiKey: string, note: string) =>
    service.app.inject({
      method: 'POST',
      url: '/api/report-decode-issue',
      headers: { 'x-api-key': apiKey },
      payload: { ...CLAIM, note },
    });
  await report(theirs, 'theirs');
  for (const note of ['first', 'second', 'third']) await report(mine, note);
  const page = async (query: string) =>
    (await list({ 'x-api-key': mine }, query)).json<{ reports: { note: string }[]; next: string | null }>();
  const first = await page('?limit=2');
  expect(first.reports.map(({ note }) => note)).toEqual(['third', 'second']);
  expect(await page(`?limit=2&after=${first.next}`)).toEqual({
    reports: [
      {
        id: expect.any(String),
        ...CLAIM,
        note: 'first',
        source: 'subscriber',
        state: 'queued',
        reason: null,
        createdAt: expect.stringMatching(/Z$/),
        decidedAt: null,
      },
    ],
    next: null,
  });
  expect((await list({ 'x-api-key': mine }, '?limit=0')).statusCode).toBe(400);
});

test('pages that are asked for at once are made in turns of their own', async () => {
  const headers = { 'x-api-key': await service.keyFor('starter') };
  const turnsOf = async (count: number): Promise<number> => {
    let turns = 0;
    let next = setImmediate(function counted() {
      turns += 1;
      next = setImmediate(counted);
    });
    const pages = await Promise.all(Array.from({ length: count }, () => list(headers)));
    clearImmediate(next);
    expect(pages.every(({ statusCode }) => statusCode === 200)).toBe(true);
    return turns;
  };
  const ofOne = Math.min(await turnsOf(1), await turnsOf(1), await turnsOf(1));
  expect((await turnsOf(40)) - ofOne).toBeGreaterThanOrEqual(39);
});

/**
 * Has a first page made, whose pause lasts until the timers go on: the next ones wait.
 * @returns what gives the outcomes of their waits.
 */
async function holdTurn(app: TestService['app'], headers: Record<string, string>) {
  const { mock } = vi.spyOn(FairQueue.prototype, 'enter');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  expect((await app.inject({ url: '/api/reports', headers })).statusCode).toBe(200);
  // Requests may pass other queues before.
  const queue = mock.contexts.at(-1);
  const before = mock.contexts.length;
  return () => mock.results.slice(before).filter((_, place) => mock.contexts[before + place] === queue);
}

test('a page whose key is revoked while it waits is refused', async () => {
  await using own = await testService();
  const { app, database } = own;
  const headers = { 'x-api-key': await own.keyFor('starter') };
  const { id } = await database.kysely.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const waits = await holdTurn(app, headers);
  const waiting = app.inject({ url: '/api/reports', headers });
  while (waits().length === 0) await nextTurn();
  expect(await revokeKey({ database, clock: systemClock }, id, 'cli:test')).toBe('revoked');
  await vi.runAllTimersAsync();
  expect((await waiting).statusCode).toBe(401);
});

test('a client that has gone holds no place of those that wait', async () => {
  await using own = await testService();
  const { app } = own;
  const headers = { 'x-api-key': await own.keyFor('starter') };
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const waits = await holdTurn(app, headers);
  const gone = new AbortController();
  const left = fetch(`${origin}/api/reports`, { headers, signal: gone.signal });
  await until(async () => waits().length === 1);
  gone.abort();
  await expect(left).rejects.toThrow('aborted');
  await expect(waits()[0]?.value).resolves.toMatchObject({ kind: 'refused' });
});
