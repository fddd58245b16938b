import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ensureMonths } from '../kernel/db/partitions.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, decodeAt, subscriber } from './testing/usage.ts';
import { usageCsv } from './export.ts';
import { keyUsage, usageByDay } from './report.ts';
import { countMismatches, openMeter, prune, usageReport, verifyUsage, type Meter } from './index.ts';

const DAY_MS = 24 * 3_600_000;

const sumOf = (rows: readonly { charged: number }[]) => rows.reduce((sum, { charged }) => sum + charged, 0);

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let meter: Meter;
  let now: number;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    now = Date.UTC(2026, 4, 20, 12);
    meter = openMeter(database, () => now);
  });

  afterEach(async () => {
    await meter.close();
    await fresh.remove();
  });

  const chargeAt = async (atMs: number, workspace = 'w', keyId = 'k'): Promise<void> => {
    now = atMs;
    await chargeOne(meter, { ...subscriber(workspace, null), keyId }, decodeAt(atMs));
  };

  test('usage of the last twelve months is kept by day and by key', async () => {
    await chargeAt(Date.UTC(2025, 4, 31, 23, 59, 59, 999));
    await chargeAt(Date.UTC(2025, 5, 1));
    await chargeAt(Date.UTC(2026, 3, 30, 23, 59, 59, 999), 'w', 'k2');
    await chargeAt(Date.UTC(2026, 4, 1), 'w', 'k2');
    await chargeAt(Date.UTC(2026, 4, 1, 5));
    await chargeAt(Date.UTC(2026, 4, 1, 5), 'another');
    await chargeAt(Date.UTC(2026, 4, 20));
    const months = await usageReport(database, 'workspace:w', now);
    expect(months.map(({ charged }) => charged)).toEqual([3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(months[0]).toEqual({
      startMs: Date.UTC(2026, 4, 1),
      charged: 3,
      days: [
        { dayStartMs: Date.UTC(2026, 4, 1), charged: 2 },
        { dayStartMs: Date.UTC(2026, 4, 20), charged: 1 },
      ],
      keys: [
        { keyId: 'k', charged: 2 },
        { keyId: 'k2', charged: 1 },
      ],
    });
  });

  test('a healthy database verifies clean, and every kind of tampering is found', async () => {
    await chargeAt(Date.UTC(2026, 4, 20, 12));
    await chargeAt(Date.UTC(2026, 4, 20, 12), 'v');
    expect(await verifyUsage(database)).toEqual({ counters: 2, decodes: 2, disagreements: [] });
    await database.kysely.updateTable('usage_counters').set({ used: 2 }).where('subject', '=', 'workspace:w').execute();
    await database.kysely.deleteFrom('decodes').where('subject', '=', 'workspace:v').execute();
    const { disagreements } = await verifyUsage(database);
    expect(disagreements).toEqual([
      { kind: 'counter', subject: 'workspace:w', windowStartMs: Date.UTC(2026, 4, 1), counter: 2, ledger: 1 },
      {
        kind: 'ledger',
        subject: 'workspace:v',
        dayStartMs: Date.UTC(2026, 4, 20),
        keyId: 'k',
        ledger: 1,
        decodes: 0,
      },
    ]);
  });

  test('usage of many keys is read in turns, and adds up', async () => {
    const turn = vi.fn<() => Promise<void>>(async () => {});
    expect(await usageByDay(database, 'workspace:w', now, turn)).toEqual([]);
    expect(turn).not.toHaveBeenCalled();
    now = Date.UTC(2026, 4, 20);
    for (const month of [2, 3, 4]) {
      const startMs = Date.UTC(2026, month, 1);
      const rows = Array.from({ length: 1_200 }, (_, at) => ({
        subject: 'workspace:w',
        window_start: startMs,
        day_start: startMs + (at % 20) * DAY_MS,
        key_id: `k${Math.floor(at / 20)}`,
        charged: 1 + at,
      }));
      for (let from = 0; from < rows.length; from += 300) {
        const some = rows.slice(from, from + 300);
        await database.kysely.insertInto('usage_ledger').values(some).execute();
      }
    }
    const read = await usageByDay(database, 'workspace:w', now, turn);
    const stored = await database.kysely.selectFrom('usage_ledger').selectAll().execute();
    expect(read).toHaveLength(stored.length);
    expect(sumOf(read)).toBe(sumOf(stored));
    expect(sumOf(await usageReport(database, 'workspace:w', now))).toBe(sumOf(stored));
    const ofKey = stored.filter((row) => row.key_id === 'k7' && row.window_start === Date.UTC(2026, 3, 1));
    const asked = { keyId: 'k7', startMs: Date.UTC(2026, 3, 1) };
    expect(await keyUsage(database, 'workspace:w', asked)).toMatchObject({
      charged: sumOf(ofKey),
      days: { length: 20 },
    });
    turn.mockClear();
    const text = await usageCsv(read, new Map(), turn);
    expect(text.trim().split('\n')).toHaveLength(1 + read.length);
    expect(turn.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(read.map(({ day_start: day }) => day)).toEqual(
      read.map(({ day_start: day }) => day).toSorted((a, b) => a - b),
    );
    expect(turn).toHaveBeenCalled();
  });

  test('pruning removes old decodes, keeps every sum, and the rest still verifies', async () => {
    const end = Date.UTC(2026, 7, 20, 12);
    await prune(database, Date.UTC(2026, 4, 1), 30);
    for (let atMs = end - 100 * DAY_MS; atMs <= end; atMs += 5 * DAY_MS) await chargeAt(atMs);
    const before = await usageReport(database, 'workspace:w', end);
    // May and June lie wholly before the cut: PostgreSQL drops them whole.
    expect(await prune(database, end, 30)).toMatchObject(
      engine === 'postgres' ? { partitions: 2, decodes: 4 } : { partitions: 0, decodes: 14 },
    );
    const left = await database.kysely.selectFrom('decodes').select('created_at').execute();
    expect(left.map(({ created_at: createdAt }) => (end - createdAt) / DAY_MS).toSorted((a, b) => a - b)).toEqual([
      0, 5, 10, 15, 20, 25, 30,
    ]);
    expect(await usageReport(database, 'workspace:w', end)).toEqual(before);
    expect((await verifyUsage(database)).disagreements).toEqual([]);
  });

  test('pruning ends between two batches once its instance stops', async () => {
    await chargeAt(now);
    await expect(prune(database, now + 35 * DAY_MS, 30, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await database.kysely.selectFrom('decodes').select('id').execute()).toHaveLength(1);
    expect(await prune(database, now + 35 * DAY_MS, 30)).toMatchObject({ decodes: 1 });
  });

  test('pruning by a clock that was ahead hides no later charge from the comparison', async () => {
    const first = Date.UTC(2026, 4, 1, 12);
    for (let day = 0; day < 4; day += 1) await chargeAt(first + day * DAY_MS);
    await prune(database, Date.UTC(2038, 4, 1), 30);
    for (let day = 4; day < 8; day += 1) await chargeAt(first + day * DAY_MS);
    await database.kysely.deleteFrom('decodes').where('created_at', '=', now).execute();
    const compared = { decodes: 2, disagreements: [{ kind: 'ledger', ledger: 1, decodes: 0 }] };
    expect(await verifyUsage(database, now)).toMatchObject(compared);
    await prune(database, now, 30);
    expect(await verifyUsage(database)).toMatchObject(compared);
  });

  test('pruning removes the secrets of past months and the outcomes of past days', async () => {
    const { kysely } = database;
    const months = [Date.UTC(2026, 3, 1), Date.UTC(2026, 4, 1)].map((start) => ({ window_start: start, secret: 's' }));
    await kysely.insertInto('public_secrets').values(months).execute();
    const idempotency = { key: 'a', bodyHash: 'b', outcome: '', sentAtMs: now, expiresAtMs: now + DAY_MS };
    await chargeOne(meter, subscriber('w', null), decodeAt(now), idempotency);
    expect(await prune(database, now, 30)).toMatchObject({ idempotencyRecords: 0 });
    expect(await prune(database, now + DAY_MS, 30)).toMatchObject({ idempotencyRecords: 1 });
    const secrets = await kysely.selectFrom('public_secrets').select('window_start').execute();
    expect(secrets).toEqual([{ window_start: Date.UTC(2026, 4, 1) }]);
  });
});

test('on PostgreSQL, months are neither made nor removed while a backup reads decodes, and no charge waits for it', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  if (database.engine !== 'postgres') throw new Error('Not PostgreSQL.');
  const { pool } = database;
  const partitions = async () =>
    (await pool.query(`SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'decodes'::regclass`)).rows;
  const now = Date.now();
  await ensureMonths(pool, 'decodes', now - 400 * DAY_MS);
  const before = await partitions();
  const reader = await database.longTimeout.pool.connect();
  await reader.query('BEGIN; SELECT count(*) FROM decodes');
  const meter = openMeter(database, () => now);
  for (const nowMs of [now, now + 200 * DAY_MS]) {
    const pruned = prune(database, nowMs, 90);
    await Promise.all([
      expect(pruned).rejects.toThrow('The decodes are being read'),
      chargeOne(meter, subscriber('w', null), decodeAt(now)),
    ]);
  }
  expect(await partitions()).toEqual(before);
  await reader.query('COMMIT');
  reader.release();
  expect(await prune(database, now, 90)).toMatchObject({ partitions: 3 });
  expect(await partitions()).toHaveLength(before.length - 3);
  await meter.close();
  await fresh.remove();
});

test('on PostgreSQL, what a default partition holds is removed, also if a new month cannot be made beside it in time', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  if (database.engine !== 'postgres') throw new Error('Not PostgreSQL.');
  let now = Date.UTC(2026, 4, 20);
  const later = now + 91 * DAY_MS;
  const meter = openMeter(database, () => now);
  await chargeOne(meter, subscriber('w', null), decodeAt(now));
  now = later;
  await chargeOne(meter, subscriber('w', null), decodeAt(now));
  await database.pool.query(`
    CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER takes_long BEFORE DELETE ON decodes_default FOR EACH ROW
      WHEN (OLD.id >= '${leastUuid7(later)}') EXECUTE FUNCTION take_long()`);
  await expect(prune(database, later, 90)).rejects.toThrow('statement timeout');
  expect(await database.kysely.selectFrom('decodes').select('created_at').execute()).toEqual([{ created_at: later }]);
  await meter.close();
  await fresh.remove();
});

test.each(ENGINES)(
  'on %s, the metric of mismatches compares who pays, and leaves public clients to db verify',
  async (engine) => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const nowMs = Date.UTC(2026, 4, 20);
    const window = { window_start: Date.UTC(2026, 4, 1), used: 3 };
    await database.kysely
      .insertInto('usage_counters')
      .values({ subject: 'public:x', ...window })
      .execute();
    expect(await countMismatches(database, nowMs)).toBe(0);
    expect((await verifyUsage(database)).disagreements).toHaveLength(1);
    for (const subject of ['workspace:w', 'test:w'])
      await database.kysely
        .insertInto('usage_counters')
        .values({ subject, ...window })
        .execute();
    expect(await countMismatches(database, nowMs)).toBe(2);
    const day = { window_start: window.window_start, day_start: window.window_start, key_id: '', charged: 1 };
    for (const subject of ['workspace:a', 'workspace:z'])
      await database.kysely
        .insertInto('usage_ledger')
        .values({ subject, ...day })
        .execute();
    // However many are compared at once.
    for (const size of [1, 2, 3]) expect(await countMismatches(database, nowMs, size)).toBe(4);
    // Accounts that rest are gone through as well, in as many pieces.
    const resting = Array.from({ length: 60 }, (_, at) => ({
      subject: `workspace:rest${at}`,
      ...day,
      window_start: Date.UTC(2026, 1, 1),
    }));
    await database.kysely.insertInto('usage_ledger').values(resting).execute();
    let statements = 0;
    const kysely = database.kysely.withPlugin({
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    });
    expect(await countMismatches({ ...database, kysely }, nowMs, 10)).toBe(4);
    expect(statements).toBeGreaterThanOrEqual(12);
    await fresh.remove();
  },
);
