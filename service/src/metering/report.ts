import type { Database } from '../kernel/db/index.ts';
import { monthAfter } from '../kernel/db/month.ts';

/** Months that a report reaches back, the current one included. */
const MONTHS = 12;

/** Charged decodes of one UTC day. */
interface DayUsage {
  dayStartMs: number;
  charged: number;
}

/** Charged decodes of one key. */
export interface KeyUsage {
  keyId: string;
  charged: number;
}

/** Charged decodes of one UTC month; days and keys without any are left out. */
export interface MonthUsage {
  startMs: number;
  charged: number;
  days: DayUsage[];
  keys: KeyUsage[];
}

/** Charged decodes of one UTC day with one key. */
export interface LedgerRow {
  window_start: number;
  day_start: number;
  /** Empty: made in the portal. */
  key_id: string;
  charged: number;
}

/** Returns a subject's usage in the last twelve months, by day and key, oldest first. */
export async function usageByDay({ kysely }: Database, subject: string, nowMs: number): Promise<LedgerRow[]> {
  return kysely
    .selectFrom('usage_ledger')
    .select(['window_start', 'day_start', 'key_id', 'charged'])
    .where('subject', '=', subject)
    .where('window_start', '>=', monthAfter(nowMs, 1 - MONTHS))
    .orderBy('day_start')
    .orderBy('key_id')
    .execute();
}

/** Returns a subject's usage in the last twelve months, newest first; months without usage are included, with zero. */
export async function usageReport(database: Database, subject: string, nowMs: number): Promise<MonthUsage[]> {
  return monthsOf(await usageByDay(database, subject, nowMs), nowMs);
}

/** Returns twelve months, the newest first, as their days and keys add up. Pure. */
export function monthsOf(rows: readonly LedgerRow[], nowMs: number): MonthUsage[] {
  return Array.from({ length: MONTHS }, (_, ago) => {
    const startMs = monthAfter(nowMs, -ago);
    const own = rows.filter(({ window_start: windowStart }) => windowStart === startMs);
    return {
      startMs,
      charged: own.reduce((sum, { charged }) => sum + charged, 0),
      days: sumBy(own, (row) => row.day_start).map(([dayStartMs, charged]) => ({ dayStartMs, charged })),
      keys: sumBy(own, (row) => row.key_id).map(([keyId, charged]) => ({ keyId, charged })),
    };
  });
}

function sumBy<K, R extends { charged: number }>(rows: readonly R[], keyOf: (row: R) => K): [K, number][] {
  const sums = new Map<K, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.charged);
  return [...sums];
}
