import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, type OneOutcome, decodeAt, expectCounted, PATIENT, subscriber } from './testing/usage.ts';
import { openMeter, type IdempotentCharge, type Meter } from './index.ts';

const noon = Date.UTC(2026, 4, 20, 12);
const resetAtMs = Date.UTC(2026, 5, 1);
const INSTANCES = 5;
const REQUESTS_A_CALLER = 3;

/** A request that waits for a slower look. */
const pendingOf = (vin: string) => ({ ...decodeAt(noon), vin, outcome: 'pending' });

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let meters: Meter[];
  let meter: Meter;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    const others = await Promise.all(Array.from({ length: INSTANCES - 1 }, () => fresh.open()));
    meters = [database, ...others].map((instance) => openMeter(instance, () => noon, { bounds: PATIENT }));
    meter = openMeter(database, () => noon, { bounds: PATIENT });
  });

  afterAll(async () => {
    for (const instance of [meter, ...meters]) await instance.close();
    await fresh.remove();
  });

  const table = [1, 10, 1000].flatMap((limit) =>
    [1, 50, 500].flatMap((callers) => [1, 3, 5].map((instances) => ({ limit, callers, instances }))),
  );

  test.each(table)(
    'limit $limit, $callers callers, $instances instances: never one over the limit, never one uncounted',
    async ({ limit, callers, instances }) => {
      const workspace = `table-${limit}-${callers}-${instances}`;
      const outcomes: (OneOutcome | undefined)[] = [];
      const callAndCall = async (number: number): Promise<void> => {
        for (let request = 0; request < REQUESTS_A_CALLER; request++) {
          outcomes.push(await chargeOne(meters[number % instances], subscriber(workspace, limit), decodeAt(noon)));
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, number) => callAndCall(number)));
      const wanted = callers * REQUESTS_A_CALLER;
      const granted = Math.min(limit, wanted);
      const refusals = outcomes.filter((outcome) => outcome?.kind !== 'granted');
      const exhausted = { kind: 'exhausted', usage: { limit, remaining: 0, resetAtMs } };
      expect(refusals).toEqual(Array.from({ length: wanted - granted }, () => exhausted));
      await expectCounted(database, workspace, granted);
    },
  );

  test('every granted request gets its own remaining number, down to 0', async () => {
    const caller = subscriber('countdown', 50);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => chargeOne(meter, caller, decodeAt(noon))));
    const remaining = outcomes.map((outcome) => (outcome.kind === 'granted' ? outcome.usage.remaining : undefined));
    expect(remaining).toEqual(Array.from({ length: 50 }, (_, place) => 49 - place));
  });

  test('several charges at once are granted from the first on until the limit is reached', async () => {
    const caller = subscriber('several', 5);
    const decodes = [1, 2, 3, 4].map(() => decodeAt(noon));
    const outcomes = await Promise.all([
      meter.charge(caller, decodes),
      meter.charge(
        caller,
        decodes.map(() => decodeAt(noon)),
      ),
    ]);
    expect(outcomes).toEqual([
      { kind: 'settled', granted: 4, usage: { limit: 5, remaining: 1, resetAtMs } },
      { kind: 'settled', granted: 1, usage: { limit: 5, remaining: 0, resetAtMs } },
    ]);
    await expectCounted(database, 'several', 5);
  });

  test('a caller without a limit is always granted and has no remaining', async () => {
    const outcome = await chargeOne(meter, subscriber('unlimited', null), decodeAt(noon));
    expect(outcome).toEqual({ kind: 'granted', usage: { limit: null, remaining: null, resetAtMs } });
    await expectCounted(database, 'unlimited', 1);
  });

  test('a limit lowered below the usage leaves nothing, and a raised one counts at once', async () => {
    const decodes = [1, 2, 3].map(() => decodeAt(noon));
    await meter.charge(subscriber('changing', 3), decodes);
    const lowered = await chargeOne(meter, subscriber('changing', 1), decodeAt(noon));
    expect(lowered).toEqual({ kind: 'exhausted', usage: { limit: 1, remaining: 0, resetAtMs } });
    const raised = await chargeOne(meter, subscriber('changing', 10), decodeAt(noon));
    expect(raised).toEqual({ kind: 'granted', usage: { limit: 10, remaining: 6, resetAtMs } });
  });

  test('a decode that is recorded is stored and costs nothing', async () => {
    const caller = subscriber('pending', 1);
    const decode = { ...decodeAt(noon), outcome: 'pending' };
    expect(await meter.record(caller, decode)).toEqual({ kind: 'stored', id: decode.id });
    expect(await meter.peek(caller)).toEqual({ limit: 1, remaining: 1, resetAtMs });
    const stored = database.kysely.selectFrom('decodes').select(['outcome', 'charged']).where('id', '=', decode.id);
    expect(await stored.executeTakeFirst()).toEqual({ outcome: 'pending', charged: 0 });
    await expectCounted(database, 'pending', 0);
  });

  test('keeps one row of repeated records for the same VIN and client', async () => {
    const [caller, other] = [subscriber('polling', 1), subscriber('polling-too', 1)];
    const vin = 'WVWZZZ1KZAW000001';
    const first = await meter.record(caller, pendingOf(vin));
    const again = await Promise.all(Array.from({ length: 20 }, () => meter.record(caller, pendingOf(vin))));
    expect(new Set(again.map((outcome) => JSON.stringify(outcome)))).toEqual(new Set([JSON.stringify(first)]));
    const others = await Promise.all(Array.from({ length: 20 }, () => meter.record(other, pendingOf(vin))));
    expect(new Set(others.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(others[0]).not.toEqual(first);
    await meter.record(caller, pendingOf('WVWZZZ1KZAW000002'));
    const stored = database.kysely.selectFrom('decodes').select('id').where('vin', 'like', 'WVWZZZ1KZAW00000%');
    expect(await stored.execute()).toHaveLength(3);
  });

  test('of requests with one idempotency key on several instances one is charged', async () => {
    const caller = subscriber('idempotent', 10);
    const idempotency: IdempotentCharge = {
      key: 'a',
      bodyHash: 'b',
      outcome: 'first',
      sentAtMs: noon,
      expiresAtMs: noon + 1000,
    };
    const outcomes = await Promise.all(
      meters.map((instance) => chargeOne(instance, caller, decodeAt(noon), idempotency)),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
      'conflict',
      'conflict',
      'conflict',
      'conflict',
      'granted',
    ]);
    const later = { ...idempotency, sentAtMs: noon + 1000, expiresAtMs: noon + 2000, outcome: 'second' };
    expect(await chargeOne(meter, caller, decodeAt(noon), later)).toMatchObject({
      kind: 'granted',
      usage: { remaining: 8 },
    });
    const stored = database.kysely.selectFrom('idempotency').selectAll().where('scope', '=', 'workspace:idempotent');
    expect(await stored.execute()).toMatchObject([{ outcome: 'second', usage_limit: 10, usage_remaining: 8 }]);
  });

  test('however often a key comes in one transaction, in several and on several instances, it is charged once', async () => {
    const charge = record({
      key: option(constantFrom('a', 'b', 'c', 'd')),
      instance: integer({ max: INSTANCES - 1, min: 0 }),
    });
    const rounds = array(array(charge, { minLength: 1, maxLength: 12 }), { maxLength: 4 });
    let runs = 0;
    const property = asyncProperty(rounds, option(integer({ min: 0, max: 12 })), async (sent, limit) => {
      const workspace = `repeated-${++runs}`;
      const granted = new Map<string, number>();
      let others = 0;
      const refused: OneOutcome[] = [];
      for (const round of sent) {
        const outcomes = round.map(async ({ key, instance }) => {
          const times = { sentAtMs: noon, expiresAtMs: noon + 1000 };
          const idempotency = key === null ? undefined : { key, bodyHash: '', outcome: '', ...times };
          return chargeOne(meters[instance], subscriber(workspace, limit), decodeAt(noon), idempotency);
        });
        for (const [index, outcome] of (await Promise.all(outcomes)).entries()) {
          const key = round[index]?.key ?? null;
          if (outcome?.kind === 'exhausted') refused.push(outcome);
          if (outcome?.kind !== 'granted') continue;
          if (key === null) others += 1;
          else granted.set(key, (granted.get(key) ?? 0) + 1);
        }
      }
      expect([...granted.values()].filter((times) => times !== 1)).toEqual([]);
      expect(refused).toEqual(refused.map(() => ({ kind: 'exhausted', usage: { limit, remaining: 0, resetAtMs } })));
      const all = sent.flat().map(({ key }) => key);
      const wanted = new Set(all.filter((key) => key !== null)).size + all.filter((key) => key === null).length;
      expect(granted.size + others).toBe(Math.min(limit ?? Infinity, wanted));
      await expectCounted(database, workspace, granted.size + others);
    });
    await assert(property, { numRuns: 40 });
  });

  test("a key that comes on both sides of a month's turn is charged once", async () => {
    let now = resetAtMs - 1;
    const turning = openMeter(database, () => now);
    const idempotency = { key: 'a', bodyHash: '', outcome: '', sentAtMs: now, expiresAtMs: now + 1000 };
    const before = chargeOne(turning, subscriber('turning', 5), decodeAt(now), idempotency);
    now = resetAtMs;
    const after = chargeOne(turning, subscriber('turning', 5), decodeAt(now), idempotency);
    expect(await Promise.all([before, after])).toMatchObject([{ kind: 'granted' }, { kind: 'conflict' }]);
    await expectCounted(database, 'turning', 1);
    await turning.close();
  });

  test('a decode that the database refuses fails alone', async () => {
    const caller = subscriber('poison', null);
    const poison = decodeAt(noon);
    await chargeOne(meter, caller, poison);
    const outcomes = await Promise.allSettled([
      chargeOne(meter, caller, decodeAt(noon)),
      chargeOne(meter, caller, poison),
      chargeOne(meter, caller, decodeAt(noon)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expectCounted(database, 'poison', 3);
  });
});
