import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { Meter } from './meter.ts';
import type { Batch, RequestResult, UsageStore } from './store.ts';
import { decodeAt, subscriber } from './testing/usage.ts';

const noon = Date.UTC(2026, 4, 20, 12);

let fresh: TestDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase('sqlite');
  database = await fresh.open();
});

afterAll(() => fresh.remove());

/** Returns a store whose transactions end on command, the oldest first. */
function storeInHand(concurrencyPerSubject: number) {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const store: UsageStore = {
    concurrency: 2,
    concurrencyPerSubject,
    commit({ groups }: Batch): Promise<RequestResult[][]> {
      const results = groups.map(({ requests }) =>
        requests.map(({ decodes }): RequestResult => ({ kind: 'counted', granted: decodes.length, usedAfter: 1 })),
      );
      sizes.push(results.flat().length);
      return new Promise((resolve) => ends.push(() => resolve(results)));
    },
    write: async () => {},
    close: async () => {},
  };
  return { store, sizes, end: () => ends.shift()?.() };
}

const meterOn = (store: UsageStore) => new Meter(database, store, () => noon);

const charges = (meter: Meter, count: number, workspace = 'w') =>
  Array.from({ length: count }, () => meter.charge(subscriber(workspace, null), [decodeAt(noon)]));

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('enough charges are committed before the turn ends, and one transaction more while the first is under way', async () => {
  const { store, sizes, end } = storeInHand(2);
  const meter = meterOn(store);
  const charged = charges(meter, 40);
  expect(sizes).toEqual([16]);
  await turn();
  expect(sizes).toEqual([16, 24]);
  const later = charges(meter, 20);
  await turn();
  expect(sizes).toEqual([16, 24]);
  end();
  await turn();
  expect(sizes).toEqual([16, 24, 20]);
  end();
  end();
  expect(await Promise.all([...charged, ...later])).toHaveLength(60);
});

test('with one transaction at a time for a subject, none begins early, the rest waits for it and others do not', async () => {
  const { store, sizes, end } = storeInHand(1);
  const meter = meterOn(store);
  const charged = charges(meter, 40);
  expect(sizes).toEqual([]);
  await turn();
  expect(sizes).toEqual([40]);
  charged.push(...charges(meter, 20), ...charges(meter, 2, 'other'));
  await turn();
  expect(sizes).toEqual([40, 2]);
  end();
  await turn();
  expect(sizes).toEqual([40, 2, 20]);
  end();
  end();
  expect(await Promise.all(charged)).toHaveLength(62);
});

test('a few charges of one turn go into one transaction', async () => {
  const { store, sizes, end } = storeInHand(2);
  const charged = charges(meterOn(store), 5);
  expect(sizes).toEqual([]);
  await turn();
  expect(sizes).toEqual([5]);
  end();
  expect(await Promise.all(charged)).toHaveLength(5);
});

test("charges on both sides of a month's turn are in a transaction each", async () => {
  const { store, sizes, end } = storeInHand(2);
  let now = Date.UTC(2026, 4, 31, 23, 59, 59);
  const meter = new Meter(database, store, () => now);
  const before = charges(meter, 3);
  now = Date.UTC(2026, 5, 1);
  const after = charges(meter, 4);
  await turn();
  expect(sizes).toEqual([3, 4]);
  end();
  end();
  expect(await Promise.all([...before, ...after])).toHaveLength(7);
  await meter.close();
});
