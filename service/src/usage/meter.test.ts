import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Subscriber } from '../access/index.ts';
import { openDatabase, type Database } from '../db/index.ts';
import { newDecodeId, openMeter, type Meter } from './index.ts';

const clock = (): number => Date.UTC(2026, 4, 20, 12);
let folder: string;
let database: Database;
let meter: Meter;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marque-'));
  database = await openDatabase({ dataDir: folder, databaseUrl: undefined }, 'service');
  meter = openMeter(database, clock);
});

afterEach(async () => {
  await meter.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const caller = (limit: number | null): Subscriber => ({
  kind: 'subscriber',
  workspaceId: 'w1',
  slug: 'acme',
  plan: 'free',
  limit,
  keyId: 'k1',
});

const decode = () => ({ id: newDecodeId(clock()), vin: '1HGCM82633A004352', outcome: 'identified', report: '{}' });

test('of 500 callers at once exactly as many are granted as the limit lets', async () => {
  const outcomes = await Promise.all(Array.from({ length: 500 }, () => meter.charge(caller(10), decode())));
  expect(outcomes.filter(({ kind }) => kind === 'granted')).toHaveLength(10);
  expect(outcomes.filter(({ kind }) => kind === 'exhausted')).toHaveLength(490);
  const resetAtMs = Date.UTC(2026, 5, 1);
  expect(outcomes[0]).toEqual({ kind: 'granted', usage: { limit: 10, remaining: 9, resetAtMs } });
  expect(await meter.peek(caller(10))).toEqual({ limit: 10, remaining: 0, resetAtMs });
  const stored = await database.kysely.selectFrom('decodes').selectAll().execute();
  expect(stored).toHaveLength(10);
});

test('several charges at once are granted from the first on until the limit is reached', async () => {
  const outcome = await meter.chargeMany(caller(3), [decode(), decode(), decode(), decode()]);
  expect(outcome).toMatchObject({ kind: 'settled', granted: 3, usage: { remaining: 0 } });
});

test('a caller without a limit has no remaining', async () => {
  expect(await meter.charge(caller(null), decode())).toMatchObject({
    kind: 'granted',
    usage: { limit: null, remaining: null },
  });
});
