import { expect, test } from 'vitest';

import { HOUR_MS } from '../../kernel/clock.ts';
import { Vitals } from '../../kernel/ui/vitals.ts';
import { testService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { hoursOf, incidentsIn, shareOf } from './status.tsx';

const MINUTE_MS = 60_000;

const minute = (atMinute: number, failed: number, shed = 0) => ({
  atMs: atMinute * MINUTE_MS,
  answered: 10,
  failed,
  shed,
});

test('faults that are close together are one incident, the newest first', () => {
  const minutes = [minute(0, 0), minute(1, 2), minute(2, 0), minute(6, 1, 3), minute(7, 0), minute(20, 0, 1)];
  expect(incidentsIn(minutes)).toEqual([
    { fromMs: 20 * MINUTE_MS, untilMs: 21 * MINUTE_MS, failed: 0, shed: 1 },
    { fromMs: 1 * MINUTE_MS, untilMs: 7 * MINUTE_MS, failed: 3, shed: 3 },
  ]);
});

test('100% means that every request was answered', () => {
  expect(shareOf({ answered: 0, failed: 0, shed: 0 })).toBeUndefined();
  expect(shareOf({ answered: 5, failed: 0, shed: 0 })).toBe('100%');
  expect(shareOf({ answered: 9_999_999, failed: 1, shed: 0 })).toBe('99.99%');
  expect(shareOf({ answered: 9_999_999, failed: 0, shed: 1 })).toBe('99.99%');
  expect(shareOf({ answered: 1, failed: 1, shed: 0 })).toBe('50%');
});

test('a process reports that it knows nothing about the time before its start', () => {
  const nowMs = 100 * HOUR_MS + 30 * MINUTE_MS;
  const startedAtMs = 97 * HOUR_MS + MINUTE_MS;
  const hours = hoursOf([minute(98 * 60, 0), minute(100 * 60 + 5, 1)], startedAtMs, nowMs);
  expect(hours).toHaveLength(24);
  expect(hours.slice(-5).map(({ state }) => state)).toEqual(['off', 'quiet', 'good', 'quiet', 'bad']);
});

test('a day of minutes is kept, and no more', () => {
  let nowMs = 0;
  const vitals = new Vitals(() => nowMs);
  for (; nowMs < 26 * HOUR_MS; nowMs += MINUTE_MS) vitals.note('answered');
  expect(vitals.minutes.length).toBeLessThanOrEqual(24 * 60);
  expect(vitals.minutes[0]?.atMs).toBeGreaterThan(2 * HOUR_MS - 3 * MINUTE_MS);
});

test('the page reports that decoding works, with version and catalog', async () => {
  await using service = await testService();
  const { body, statusCode } = await service.app.inject('/status');
  expect(statusCode).toBe(200);
  const { version } = (await service.app.inject('/api/catalog')).json<{ version: string }>();
  for (const text of ['Decoding works.', version, 'No request failed']) expect(body).toContain(text);
});

test('the page reports that the database does not answer, and the failures', async () => {
  await using service = await testService();
  await service.app.ready();
  await service.database.close();
  expect((await service.app.inject('/readyz')).statusCode).toBe(503);
  const page = () => service.app.inject('/status');
  // The outcome of an answer is noted after it was sent.
  await until(async () => (await page()).body.includes('1 failed'));
  const { body, statusCode } = await page();
  expect(statusCode).toBe(200);
  expect(body).toContain('Decoding does not work. The database does not answer.');
  expect(body).not.toContain('No request failed');
});
