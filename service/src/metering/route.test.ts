import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { testService } from '../testing/service.ts';

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
