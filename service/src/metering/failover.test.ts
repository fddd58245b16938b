import { afterEach, beforeEach, expect, test } from 'vitest';

import { openDatabase } from '../database.ts';
import { type Database, UnusableDatabaseError, DatabaseUnavailableError } from '../kernel/db/index.ts';
import { MovingAddress } from '../testing/moving-address.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { testService } from '../testing/service.ts';
import { chargeOne, decodeAt, expectCounted, PATIENT, subscriber } from './testing/usage.ts';
import { openMeter, verifyUsage, type Meter } from './index.ts';

const noon = Date.UTC(2026, 4, 20, 12);

let primary: PostgresCluster;
let address: MovingAddress;
let database: Database;
let meter: Meter;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  primary = await PostgresCluster.start();
  ends.push(async () => primary.remove());
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function openThroughAddress(): Promise<void> {
  address = await MovingAddress.open(primary.port);
  ends.push(() => address.close());
  database = await openDatabase({ dataDir: '', databaseUrl: address.url() }, 'service');
  ends.push(async () => database.close());
  meter = openMeter(database, () => noon, { bounds: PATIENT });
  ends.push(async () => meter.close());
}

/** Callers that charge without a pause until stopped. */
function callers(count: number): { granted: () => number; refused: () => number; stop: () => Promise<unknown> } {
  const seen = { granted: 0, refused: 0 };
  const over = { is: false };
  const callAndCall = async (): Promise<void> => {
    while (!over.is) {
      const { kind } = await chargeOne(meter, subscriber('w', null), decodeAt(noon));
      if (kind === 'granted') seen.granted += 1;
      else seen.refused += 1;
    }
  };
  const all = Array.from({ length: count }, callAndCall);
  const stop = async (): Promise<unknown> => {
    over.is = true;
    return Promise.all(all);
  };
  // When the test fails before it stops them: a closed meter answers at once, and they would never let go of the
  // process.
  ends.push(stop);
  return { granted: () => seen.granted, refused: () => seen.refused, stop };
}

test('a standby that takes over behind the same address has every charge that was answered', async () => {
  const standby = await primary.startStandby();
  ends.push(async () => standby.remove());
  await openThroughAddress();
  const load = callers(20);
  await expect.poll(load.granted, { interval: 5 }).toBeGreaterThan(500);
  await primary.stopServer('killed');
  address.leadTo(standby.port);
  // Not promoted yet: it answers, and accepts no writes.
  const query = database.kysely.selectFrom('workspaces').selectAll();
  await expect(query.execute()).rejects.toThrow(DatabaseUnavailableError);
  await expect(openDatabase({ dataDir: '', databaseUrl: address.url() }, 'service')).rejects.toThrow(
    UnusableDatabaseError,
  );
  const before = load.granted();
  await standby.promote();
  await expect.poll(load.granted, { interval: 5 }).toBeGreaterThan(before + 500);
  await load.stop();
  expect(load.refused()).toBe(0);
  await expectCounted(database, 'w', load.granted());
  expect((await verifyUsage(database)).disagreements).toEqual([]);
});

test('a decode waits while a proxy before the server closes every connection at once', async () => {
  address = await MovingAddress.open(primary.port);
  ends.push(() => address.close());
  await using service = await testService({ DATABASE_URL: address.url() });
  const key = await service.keyFor('business');
  const decode = async (headers: Record<string, string>) => {
    const payload = { vin: '1HGCM82633A004352' };
    return (await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload })).statusCode;
  };
  expect(await decode({ 'x-api-key': key })).toBe(200);
  const other = await service.keyFor('starter');
  address.refuse();
  // A key that is known, one that has to be looked up, a request that may be repeated, and one without a key.
  const callers = [{ 'x-api-key': key }, { 'x-api-key': other }, { 'x-api-key': key, 'idempotency-key': 'once' }, {}];
  const waiting = Promise.all(callers.map(decode));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  address.refuse(false);
  expect(await waiting).toEqual([200, 200, 200, 200]);
  expect(await service.charged()).toBe(5);
});

test('a line to the server that is cut without a word is noticed, and another connection is made', async () => {
  await openThroughAddress();
  const query = database.kysely.selectFrom('workspaces').selectAll();
  expect(await query.execute()).toEqual([]);
  expect(await chargeOne(meter, subscriber('w', null), decodeAt(noon))).toMatchObject({ kind: 'granted' });
  address.cut();
  const cut = [
    query.execute(),
    database.kysely.transaction().execute(async (trx) => trx.deleteFrom('settings').execute()),
  ];
  const results = await Promise.allSettled(cut);
  expect(results.map((one) => one.status === 'rejected' && one.reason instanceof DatabaseUnavailableError)).toEqual([
    true,
    true,
  ]);
  const waiting = chargeOne(meter, subscriber('w', null), decodeAt(noon));
  address.mend();
  expect(await query.execute()).toEqual([]);
  expect(await waiting).toMatchObject({ kind: 'granted' });
  await expectCounted(database, 'w', 2);
});
