import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openDatabase } from '../database.ts';
import { DatabaseUnavailableError, type Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { serviceOn } from '../testing/service.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { chargeOne, type OneOutcome, decodeAt, expectCounted, PATIENT, subscriber } from './testing/usage.ts';
import { DEFAULT_BOUNDS } from './bounds.ts';
import { openMeter, verifyUsage, type Meter } from './index.ts';

const noon = Date.UTC(2026, 4, 20, 12);
const HELD_MS = 3_000;

function charges(meter: Meter, count: number): Promise<OneOutcome>[] {
  return Array.from({ length: count }, () => chargeOne(meter, subscriber('w', null), decodeAt(noon)));
}

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
  });

  afterEach(async () => {
    await fresh.remove();
  });

  /** Locks the rows that a charge writes; returns the function that releases them. */
  async function holdLock(): Promise<() => Promise<unknown>> {
    const other = await fresh.open();
    if (other.engine === 'sqlite') {
      other.direct.exec('BEGIN IMMEDIATE');
      return async () => other.direct.exec('COMMIT');
    }
    const client = await other.pool.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE usage_counters IN EXCLUSIVE MODE');
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  test('requests wait while a lock is held for three seconds, and the process goes on with other things', async () => {
    const meter = openMeter(database, () => noon);
    const release = await holdLock();
    const waiting = charges(meter, 50);
    let beats = 0;
    const heartbeat = setInterval(() => (beats += 1), 10);
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
    clearInterval(heartbeat);
    await release();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.every(({ kind }) => kind === 'granted')).toBe(true);
    // A process that waits for the lock has none, or one when it is over; a busy machine leaves out many of three
    // hundred.
    expect(beats).toBeGreaterThan(10);
    await expectCounted(database, 'w', 50);
    await meter.close();
  });

  test('a request that waits too long is refused and not charged', async () => {
    const meter = openMeter(database, () => noon, { bounds: { ...DEFAULT_BOUNDS, waitMs: 100, commitMs: 200 } });
    const release = await holdLock();
    const [first] = charges(meter, 1);
    await new Promise((resolve) => setImmediate(resolve));
    const queued = await Promise.all(charges(meter, 20));
    expect(queued).toEqual(Array.from({ length: 20 }, () => ({ kind: 'overloaded', retryAfterSeconds: 1 })));
    await release();
    await first;
    await meter.close();
    const counted = await database.kysely.selectFrom('usage_counters').select('used').execute();
    expect(counted[0]?.used ?? 0).toBeLessThanOrEqual(1);
  });

  test('beyond the bounds a request is refused at once, and others still get in', async () => {
    const meter = openMeter(database, () => noon, { bounds: { ...DEFAULT_BOUNDS, queuedPerSubject: 10, queued: 15 } });
    const other = subscriber('other', null);
    const outcomes = await Promise.all([
      ...charges(meter, 12),
      ...Array.from({ length: 7 }, () => chargeOne(meter, other, decodeAt(noon))),
    ]);
    const kinds = outcomes.map(({ kind }) => (kind === 'granted' ? '+' : '-')).join('');
    expect(kinds).toBe('++++++++++--+++++--');
    await expectCounted(database, 'w', 10);
    await expectCounted(database, 'other', 5);
    await meter.close();
  });

  test('a charge waiting when the service stops is still committed, and a later one is refused', async () => {
    const meter = openMeter(database, () => noon);
    const waiting = charges(meter, 100);
    await meter.close();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.every(({ kind }) => kind === 'granted')).toBe(true);
    expect(await Promise.all(charges(meter, 1))).toEqual([{ kind: 'overloaded', retryAfterSeconds: 1 }]);
    await expectCounted(database, 'w', 100);
  });
});

test('on PostgreSQL, a decode and a probe wait for no page, however long it holds a connection', async () => {
  await using service = await serviceOn('postgres');
  const { database } = service;
  const headers = { 'x-api-key': await service.keyFor('business') };
  const decode = () =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: '1HGCM82633A004352' } });
  expect((await decode()).statusCode).toBe(200);
  const held = Promise.withResolvers<void>();
  let holding = 0;
  const pages = Array.from({ length: 12 }, () =>
    database.kysely.connection().execute(async () => {
      holding += 1;
      await held.promise;
    }),
  );
  await expect.poll(() => holding, { interval: 5 }).toBeGreaterThan(5);
  // Whether its key is still valid is looked at again.
  database.changes.forget();
  expect((await decode()).statusCode).toBe(200);
  expect((await service.app.inject('/readyz')).statusCode).toBe(200);
  expect(holding).toBeLessThan(12);
  held.resolve();
  await Promise.all(pages);
});

test('on PostgreSQL, a charge waits for no other request, however many hold a connection', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  const meter = openMeter(database, () => noon);
  const held = Promise.withResolvers<void>();
  let holding = 0;
  const others = Array.from({ length: 40 }, () =>
    database.kysely.transaction().execute(async (transaction) => {
      await transaction.selectFrom('workspaces').selectAll().execute();
      holding += 1;
      await held.promise;
    }),
  );
  await expect.poll(() => holding, { interval: 5 }).toBeGreaterThan(5);
  const outcomes = await Promise.all(charges(meter, 20));
  expect(outcomes.every(({ kind }) => kind === 'granted')).toBe(true);
  expect(holding).toBeLessThan(10);
  held.resolve();
  await Promise.all(others);
  await meter.close();
  await fresh.remove();
});

describe('a PostgreSQL server that restarts under load', () => {
  let cluster: PostgresCluster;

  beforeEach(async () => {
    cluster = await PostgresCluster.start();
  });

  afterEach(async () => {
    await cluster.remove();
  });

  test.each(['fast', 'immediate'] as const)('loses no answered charge and counts none twice (%s stop)', async (how) => {
    const location = { dataDir: '', databaseUrl: cluster.url() };
    const database = await openDatabase(location, 'service');
    const meter = openMeter(database, () => noon, { bounds: PATIENT });
    let granted = 0;
    let overloaded = 0;
    const stop = new AbortController();
    const callAndCall = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const outcome = await chargeOne(meter, subscriber('w', null), decodeAt(noon));
        if (outcome.kind === 'granted') granted += 1;
        else overloaded += 1;
      }
    };
    const callers = Array.from({ length: 40 }, callAndCall);
    for (let restart = 0; restart < 3; restart++) {
      const before = granted;
      await expect.poll(() => granted, { interval: 5 }).toBeGreaterThan(before + 500);
      await cluster.stopServer(how);
      await cluster.startServer();
    }
    stop.abort();
    await Promise.all(callers);
    expect(overloaded).toBe(0);
    await expectCounted(database, 'w', granted);
    expect((await verifyUsage(database)).disagreements).toEqual([]);
    await meter.close();
    await database.close();
  });

  test('while it is down every query fails as unavailable, and none as wrong', async () => {
    const database = await openDatabase({ dataDir: '', databaseUrl: cluster.url() }, 'service');
    await cluster.stopServer('fast');
    const query = database.kysely.selectFrom('workspaces').selectAll();
    await expect(query.execute()).rejects.toThrow(DatabaseUnavailableError);
    const transaction = database.kysely.transaction().execute((trx) => trx.selectFrom('workspaces').execute());
    await expect(transaction).rejects.toThrow(DatabaseUnavailableError);
    await cluster.startServer();
    expect(await query.execute()).toEqual([]);
    await database.close();
  });
});
