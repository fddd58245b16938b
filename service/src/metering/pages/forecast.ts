import { DAY_MS } from '../../kernel/clock.ts';
import type { UsageWindow } from '../../kernel/db/month.ts';
import type { MonthUsage } from '../index.ts';

/** Days whose mean gives the rate: a week, so that weekends count in proportion. */
const RECENT_DAYS = 7;

/** The month's usage if it continues at last week's rate. */
export interface Forecast {
  /** Decodes at the end of the month. */
  atEnd: number;
  /** Start of the day on which the limit is reached; undefined: not this month. */
  limitReachedMs: number | undefined;
}

/** Returns the charged decodes of each day of a month up to now, days without any as zero. Pure. */
export function dailyUsage(month: Pick<MonthUsage, 'startMs' | 'days'>, window: UsageWindow, nowMs: number): number[] {
  const byDay = new Map(month.days.map(({ dayStartMs, charged }) => [dayStartMs, charged]));
  const until = Math.min(nowMs, window.endMs - 1);
  const days = Math.floor((until - window.startMs) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, days) }, (_, day) => byDay.get(window.startMs + day * DAY_MS) ?? 0);
}

/** Returns the forecast of the month; undefined without usage to base it on. Today counts as a fraction of a day. */
export function forecastOf(
  daily: readonly number[],
  window: UsageWindow,
  nowMs: number,
  limit: number | null,
): Forecast | undefined {
  const used = daily.reduce((sum, day) => sum + day, 0);
  if (used === 0) return undefined;
  const recent = daily.slice(-RECENT_DAYS);
  const shareOfToday = Math.max(0.05, (nowMs % DAY_MS) / DAY_MS);
  const recentDays = recent.length - 1 + shareOfToday;
  const perDay = recent.reduce((sum, day) => sum + day, 0) / recentDays;
  const daysLeft = Math.max(0, (window.endMs - nowMs) / DAY_MS);
  const atEnd = used + perDay * daysLeft;
  const isReached = limit !== null && perDay > 0 && used < limit && atEnd >= limit;
  const limitReachedMs = isReached ? nowMs + ((limit - used) / perDay) * DAY_MS : undefined;
  return { atEnd: Math.round(atEnd), limitReachedMs };
}
