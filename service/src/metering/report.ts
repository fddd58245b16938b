import type { Database } from '../kernel/db/index.ts';
import { monthAfter } from '../kernel/db/month.ts';

/** Months that a report reaches back, the current one included. */
const MONTHS = 12;

/** Charged decodes of one UTC day. */
export interface DayUsage {
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

/** What a subject used in the last twelve months, the newest first; months without any are included, with zero. */
export async function usageReport(database: Database, subject: string, nowMs: number): Promise<MonthUsage[]> {
  const rows = await database.kysely
    .selectFrom('usage_ledger')
    .select(['window_start', 'day_start', 'key_id', 'charged'])
    .where('subject', '=', subject)
    .where('window_start', '>=', monthAfter(nowMs, 1 - MONTHS))
    .orderBy('day_start')
    .orderBy('key_id')
    .execute();
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
