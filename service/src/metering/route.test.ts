import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { DAY_MS, isoDay, systemClock } from '../kernel/clock.ts';
import { monthAfter } from '../kernel/db/month.ts';
import { LoopTurns } from '../kernel/limits/loop-turns.ts';
import { ENGINES } from '../testing/databases.ts';
import { serviceOn, testService } from '../testing/service.ts';
import { revokeKey } from '../workspaces/index.ts';

beforeAll(() => {
  // No day ends between two decodes.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 20, 12) });
});

afterAll(() => {
  vi.useRealTimers();
});

test('a key gets what its workspace has left and used, by day and by key, and is not charged for asking', async () => {
  await using service = await testService();
  const key = await service.keyFor('business');
  const headers = { 'x-api-key': key };
  const payload = { vin: '1HGCM82633A004352' };
  await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload });
  await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload });
  const answer = await service.app.inject({ method: 'GET', url: '/api/usage', headers });
  expect(answer.statusCode).toBe(200);
  const { usage, months } = answer.json();
  expect(usage).toMatchObject({ limit: 5000, remaining: 4998, resetAt: '2026-06-01T00:00:00.000Z' });
  expect(months).toHaveLength(12);
  expect(months[0]).toEqual({
    month: '2026-05',
    charged: 2,
    days: [{ day: '2026-05-20', charged: 2 }],
    keys: [{ id: expect.any(String), name: 'test', key: `${key.slice(0, 12)}…${key.slice(-4)}`, charged: 2 }],
  });
  expect(months[1]).toMatchObject({ charged: 0, days: [], keys: [] });
  expect(answer.body).not.toContain(key);
  expect(await service.charged()).toBe(2);
});

test('one workspace sees nothing of another', async () => {
  await using service = await testService();
  const [busy, idle] = [await service.keyFor('business'), await service.keyFor('starter')];
  const payload = { vin: '1HGCM82633A004352' };
  await service.app.inject({ method: 'POST', url: '/api/decode', headers: { 'x-api-key': busy }, payload });
  const answer = await service.app.inject({ method: 'GET', url: '/api/usage', headers: { 'x-api-key': idle } });
  expect(answer.json().months.map(({ charged }: { charged: number }) => charged)).toEqual(
    Array.from({ length: 12 }, () => 0),
  );
});

test.each([{}, { 'x-api-key': 'nonsense' }])('without a valid key (%j) usage is not disclosed', async (headers) => {
  await using service = await testService();
  const answer = await service.app.inject({ method: 'GET', url: '/api/usage', headers });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toEqual({ error: expect.any(String) });
});

/** Returns a day of a month, counted from 1. */
function dayOf(startMs: number, day: number): string {
  return isoDay(startMs + (day - 1) * DAY_MS);
}

test.each(ENGINES)(
  'on %s days and keys of a month add up to the same, each month in a turn that tenants share',
  async (engine) => {
    // PostgreSQL's clock is not the test's.
    vi.useRealTimers();
    await using service = await serviceOn(engine);
    const headers = { 'x-api-key': await service.keyFor('business') };
    const { kysely } = service.database;
    const { id, workspace_id: workspaceId } = await kysely
      .selectFrom('api_keys')
      .select(['id', 'workspace_id'])
      .executeTakeFirstOrThrow();
    const subject = `workspace:${workspaceId}`;
    const [month, before] = [monthAfter(Date.now(), 0), monthAfter(Date.now(), -1)];
    const rows = [
      [month, 19, id, 3],
      [month, 2, id, 4],
      [month, 2, '', 5],
      [before, 20, id, 6],
    ] as const;
    for (const [window_start, day, key_id, charged] of rows) {
      const day_start = window_start + (day - 1) * DAY_MS;
      await kysely.insertInto('usage_ledger').values({ subject, window_start, day_start, key_id, charged }).execute();
    }
    const next = vi.spyOn(LoopTurns.prototype, 'next');
    const { months } = (await service.app.inject({ method: 'GET', url: '/api/usage', headers })).json();
    const turns = next.mock.calls.filter(([tenant]) => tenant.id === workspaceId && tenant.isPaid);
    next.mockRestore();
    expect(turns.length).toBeGreaterThanOrEqual(12);
    expect(months.slice(0, 3)).toMatchObject([
      {
        charged: 12,
        days: [
          { day: dayOf(month, 2), charged: 9 },
          { day: dayOf(month, 19), charged: 3 },
        ],
        keys: [
          { id, charged: 7 },
          { id: '', charged: 5 },
        ],
      },
      { charged: 6, days: [{ day: dayOf(before, 20), charged: 6 }], keys: [{ id, charged: 6 }] },
      { charged: 0, days: [], keys: [] },
    ]);
  },
);

test('a workspace waits for a few answers at once, others beside it, and for none once its key is revoked', async () => {
  await using service = await testService();
  const key = await service.keyFor('free');
  const { id, workspace_id: workspaceId } = await service.database.kysely
    .selectFrom('api_keys')
    .select(['id', 'workspace_id'])
    .executeTakeFirstOrThrow();
  const other = await service.keyFor('starter');
  const ask = (own: string) => service.app.inject({ method: 'GET', url: '/api/usage', headers: { 'x-api-key': own } });
  const held = Promise.withResolvers<void>();
  const original = Reflect.get(LoopTurns.prototype, 'next');
  const next = vi.spyOn(LoopTurns.prototype, 'next').mockImplementation(async function (this: LoopTurns, ...asked) {
    if (asked[0].id === workspaceId) await held.promise;
    return Reflect.apply(original, this, asked);
  });
  try {
    const asked = Array.from({ length: 30 }, () => ask(key));
    const refused = await Promise.race(asked);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await ask(other)).statusCode).toBe(200);
    const deps = { database: service.database, clock: systemClock };
    expect(await revokeKey(deps, id, 'cli:tester')).toBe('revoked');
    held.resolve();
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 503)).toHaveLength(8);
    expect(statuses.filter((status) => status === 401)).toHaveLength(22);
  } finally {
    held.resolve();
    next.mockRestore();
  }
});
