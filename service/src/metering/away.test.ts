import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { DatabaseUnavailableError, type Database, StorageUnwritableError } from '../kernel/db/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { DEFAULT_BOUNDS } from './bounds.ts';
import { Meter } from './meter.ts';
import type { UsageStore } from './store.ts';
import { chargeOne, decodeAt, subscriber } from './testing/usage.ts';

const noon = Date.UTC(2026, 4, 20, 12);
/** The time that a try seems to take, in milliseconds. */
const TRY_MS = 400;

let fresh: TestDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase('sqlite');
  database = await fresh.open();
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => fresh.remove());

/**
 * Returns a store that fails until its database is back, and counts the tries. Each takes `TRY_MS` of the mocked clock.
 */
function storeOf(database: { isBack: boolean }) {
  let [nowMs, tries] = [0, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const store: UsageStore = {
    concurrency: 1,
    concurrencyPerSubject: 1,
    async commit({ groups }) {
      tries += 1;
      nowMs += TRY_MS;
      if (!database.isBack) throw new DatabaseUnavailableError('away');
      return groups.map(({ requests }) => requests.map(() => ({ kind: 'counted', granted: 1, usedAfter: 1 })));
    },
    write: async () => {},
    close: async () => {},
  };
  const triesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = tries;
    await work();
    return tries - before;
  };
  return { store, triesOf };
}

const withinMs = (ms: number): number => Math.floor(ms / TRY_MS) + 1;

test('once a transaction was given up, the next ones are given up much sooner, until one succeeds', async () => {
  const remote = { isBack: false };
  const { store, triesOf } = storeOf(remote);
  const meter = new Meter(database, store, () => noon);
  const charged = async (kind: 'granted' | 'overloaded') =>
    expect((await chargeOne(meter, subscriber('w', null), decodeAt(noon))).kind).toBe(kind);
  const [long, short] = [withinMs(DEFAULT_BOUNDS.commitMs), withinMs(DEFAULT_BOUNDS.commitAgainMs)];
  expect(short).toBeLessThan(long / 8);
  expect(await triesOf(() => charged('overloaded'))).toBe(long);
  expect(await triesOf(() => charged('overloaded'))).toBe(short);
  expect(await triesOf(() => charged('overloaded'))).toBe(short);
  remote.isBack = true;
  expect(await triesOf(() => charged('granted'))).toBe(1);
  remote.isBack = false;
  expect(await triesOf(() => charged('overloaded'))).toBe(long);
  await meter.close();
});

test('a transaction that finds no database after a full disk is given up as soon', async () => {
  const { store, triesOf } = storeOf({ isBack: false });
  const meter = new Meter(database, store, () => noon);
  database.failure.note(new StorageUnwritableError('full'));
  const short = withinMs(DEFAULT_BOUNDS.commitAgainMs);
  expect(await triesOf(() => chargeOne(meter, subscriber('w', null), decodeAt(noon)))).toBe(short);
  await meter.close();
});
