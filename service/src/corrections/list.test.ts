import { afterAll, beforeAll, expect, test } from 'vitest';

import { testService, type TestService } from '../testing/service.ts';

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
