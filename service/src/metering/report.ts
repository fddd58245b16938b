import { type RawBuilder, sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { monthAfter } from '../kernel/db/month.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';

/** Months that a report reaches back, the current one included. */
const MONTHS = 12;

/** Rows that are read or written in one turn of the event loop; those of one month are read together. */
export const ROWS_OF_A_TURN = 1_000;

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

/**
 * Returns a subject's usage in the last twelve months, by day and key, oldest first.
 *
 * @param turn waits for the turn of the next months after some with many rows: with a hundred keys one has thousands.
 */
export async function usageByDay(
  { kysely }: Database,
  subject: string,
  nowMs: number,
  turn: NextTurn = anyTurn,
): Promise<LedgerRow[]> {
  const months: LedgerRow[][] = [];
  let inTurn = 0;
  for (let ago = MONTHS - 1; ago >= 0; ago--) {
    if (inTurn >= ROWS_OF_A_TURN) {
      await turn();
      inTurn = 0;
    }
    const rows = await kysely
      .selectFrom('usage_ledger')
      .select(['window_start', 'day_start', 'key_id', 'charged'])
      .where('subject', '=', subject)
      .where('window_start', '=', monthAfter(nowMs, -ago))
      .orderBy('day_start')
      .orderBy('key_id')
      .execute();
    inTurn += rows.length;
    months.push(rows);
  }
  return months.flat();
}

/**
 * Returns a subject's usage in the last twelve months, newest first; months without usage are included, with zero.
 *
 * @param turn waits for the turn of the next month.
 */
export async function usageReport(
  { kysely }: Database,
  subject: string,
  nowMs: number,
  turn: NextTurn = anyTurn,
): Promise<MonthUsage[]> {
  const months: MonthUsage[] = [];
  for (let ago = 0; ago < MONTHS; ago++) {
    await turn();
    const startMs = monthAfter(nowMs, -ago);
    const own = kysely.selectFrom('usage_ledger').where('subject', '=', subject).where('window_start', '=', startMs);
    const sums = (day: RawBuilder<number | null>, key: RawBuilder<string | null>) =>
      own.select(({ fn }) => [day.as('day_start'), key.as('key_id'), fn.sum<number | string>('charged').as('charged')]);
    const byDay = sums(sql`day_start`, sql`null`).groupBy('day_start');
    const byKey = sums(sql`null`, sql`key_id`).groupBy('key_id');
    // One statement, so that the days and the keys add up to the same.
    const rows = await byDay.unionAll(byKey).execute();
    const days = rows.flatMap(({ day_start: dayStartMs, charged }) =>
      dayStartMs === null ? [] : [{ dayStartMs, charged: Number(charged) }],
    );
    months.push({
      startMs,
      charged: days.reduce((sum, { charged }) => sum + charged, 0),
      days: days.toSorted((a, b) => a.dayStartMs - b.dayStartMs),
      keys: rows.flatMap(({ key_id: keyId, charged }) => (keyId === null ? [] : [{ keyId, charged: Number(charged) }])),
    });
  }
  return months;
}

/** Returns the usage of one key, or of the portal (an empty id), in the month that begins then. */
export async function keyUsage(
  { kysely }: Database,
  subject: string,
  { keyId, startMs }: { keyId: string; startMs: number },
): Promise<MonthUsage> {
  const rows = await kysely
    .selectFrom('usage_ledger')
    .select(['day_start', 'charged'])
    .where('subject', '=', subject)
    .where('window_start', '=', startMs)
    .where('key_id', '=', keyId)
    .orderBy('day_start')
    .execute();
  const charged = rows.reduce((sum, row) => sum + row.charged, 0);
  const days = rows.map((row) => ({ dayStartMs: row.day_start, charged: row.charged }));
  return { startMs, charged, days, keys: charged === 0 ? [] : [{ keyId, charged }] };
}
