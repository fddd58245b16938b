import { array, assert, integer, nat, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { monthOf } from '../../kernel/db/month.ts';
import { dailyUsage, forecastOf } from './forecast.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 15, 12);
const WINDOW = monthOf(NOON);

describe('the forecast', () => {
  test('goes on as the last seven days went, and counts today as the part that it is', () => {
    const daily = [...Array.from({ length: 14 }, () => 10), 5];
    expect(forecastOf(daily, WINDOW, NOON, null)).toEqual({ atEnd: 300, limitReachedMs: undefined });
  });

  test('names the day on which the limit is reached', () => {
    const daily = [...Array.from({ length: 14 }, () => 10), 5];
    expect(forecastOf(daily, WINDOW, NOON, 195)?.limitReachedMs).toBe(NOON + 5 * DAY_MS);
  });

  test('says nothing before the first decode', () => {
    expect(forecastOf([0, 0, 0], WINDOW, NOON, 100)).toBeUndefined();
  });

  test('is never below the usage so far, and reaches a limit only inside the month', () => {
    const rule = property(
      array(nat(1_000), { minLength: 1, maxLength: 15 }),
      integer({ min: WINDOW.startMs, max: WINDOW.endMs - 1 }),
      nat(10_000),
      (daily, now, limit) => {
        const used = daily.reduce((sum, day) => sum + day, 0);
        const forecast = forecastOf(daily, WINDOW, now, limit);
        if (forecast === undefined) return used === 0;
        const reached = forecast.limitReachedMs;
        // A millisecond for what floating numbers lose.
        return forecast.atEnd >= used && (reached === undefined || (reached >= now && reached <= WINDOW.endMs + 1));
      },
    );
    expect(() => assert(rule)).not.toThrow();
  });

  test('has a day for each of the month so far, with 0 where nothing was decoded', () => {
    const month = { startMs: WINDOW.startMs, days: [{ dayStartMs: WINDOW.startMs + 2 * DAY_MS, charged: 7 }] };
    expect(dailyUsage(month, WINDOW, NOON)).toEqual([0, 0, 7, ...Array.from({ length: 12 }, () => 0)]);
  });
});
