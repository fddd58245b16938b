import { array, assert, asyncProperty, integer, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, decodeAt, expectCounted, PATIENT, subscriber } from './testing/usage.ts';
import { workspaceNamed } from '../webhooks/testing/webhooks.ts';
import { type Meter, openMeter } from './index.ts';
import { thresholdsReached } from './thresholds.ts';

const MAY = Date.UTC(2026, 4, 20);
const JUNE = Date.UTC(2026, 5, 2);

test.each<[string, number | null, number, number[]]>([
  ['below', 100, 79, []],
  ['at 80 percent', 100, 80, [80]],
  ['between', 100, 99, [80]],
  ['full', 100, 100, [80, 100]],
  ['above a limit that was lowered', 10, 90, [80, 100]],
  ['below a fractional share', 7, 5, []],
  ['above a fractional share', 7, 6, [80]],
  ['one decode', 1, 1, [80, 100]],
  ['a limit of zero', 0, 0, []],
  ['no limit', null, 1_000_000, []],
])('%s: of %s used %s', (_, limit, used, expected) => {
  expect(thresholdsReached(limit, used)).toEqual(expected);
});

describe.each(ENGINES)('on %s', (engine) => {
  let data: TestDatabase;
  let database: Database;
  let workspaceId: string;
  let meters: Meter[];
  let nowMs: number;

  beforeEach(async () => {
    data = await freshDatabase(engine);
    database = await data.open();
    workspaceId = await workspaceNamed(database, 'acme');
    meters = [];
    nowMs = MAY;
  });

  afterEach(async () => {
    for (const meter of meters) await meter.close();
    await data.remove();
  });

  function meterOn(on: Database): Meter {
    const meter = openMeter(on, () => nowMs, { bounds: PATIENT });
    meters.push(meter);
    return meter;
  }

  /** Reads the thresholds that a workspace has reached. */
  const reached = (id = workspaceId) =>
    database.kysely
      .selectFrom('usage_thresholds')
      .selectAll()
      .where('workspace_id', '=', id)
      .orderBy('window_start')
      .orderBy('usage_limit')
      .orderBy('percent')
      .execute();

  const percents = async (id = workspaceId) =>
    (await reached(id)).map(({ percent, usage_limit: limit }) => `${percent} of ${limit}`);

  test('500 callers at once on several instances: 80 and 100 percent are reached once each, and nothing else', async () => {
    const others = engine === 'postgres' ? [await data.open(), await data.open()] : [];
    const instances = [database, ...others].map(meterOn);
    const [first] = instances;
    if (first === undefined) throw new Error('There is no instance.');
    const caller = subscriber(workspaceId, 400);
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        nowMs += 1;
        return chargeOne(instances[index % instances.length] ?? first, caller, decodeAt(nowMs));
      }),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'granted')).toHaveLength(400);
    await expectCounted(database, workspaceId, 400);
    const events = await reached();
    expect(events.map(({ percent }) => percent)).toEqual([80, 100]);
    expect(events[0]?.used).toBeGreaterThanOrEqual(320);
    expect(events[1]).toMatchObject({ used: 400, usage_limit: 400, window_end: Date.UTC(2026, 5), handled_at: null });
  });

  test('each month has thresholds, and the public has none', async () => {
    const meter = meterOn(database);
    const caller = subscriber(workspaceId, 2);
    for (const at of [MAY, MAY + 1, MAY + 2, JUNE, JUNE + 1]) {
      nowMs = at;
      await chargeOne(meter, caller, decodeAt(at));
    }
    await chargeOne(meter, { kind: 'public', clientId: workspaceId, limit: 1 }, decodeAt(nowMs));
    const months = [Date.UTC(2026, 4), Date.UTC(2026, 4), Date.UTC(2026, 5), Date.UTC(2026, 5)];
    expect((await reached()).map(({ window_start: start }) => start)).toEqual(months);
    const all = database.kysely.selectFrom('usage_thresholds').select(({ fn }) => fn.countAll<number>().as('count'));
    expect((await all.executeTakeFirstOrThrow()).count).toBe(4);
  });

  test('a limit that changes within the month has its own thresholds, reached with the next request', async () => {
    const meter = meterOn(database);
    const charge = async (limit: number, times: number) => {
      for (let index = 0; index < times; index++) {
        nowMs += 1;
        await chargeOne(meter, subscriber(workspaceId, limit), decodeAt(nowMs));
      }
    };
    await charge(10, 10);
    expect(await percents()).toEqual(['80 of 10', '100 of 10']);
    await charge(20, 5);
    expect(await percents()).toHaveLength(2);
    await charge(20, 1);
    expect(await percents()).toEqual(['80 of 10', '100 of 10', '80 of 20']);
    // Lowered below the usage: the next request is refused, and the thresholds are reached.
    await charge(12, 1);
    await expectCounted(database, workspaceId, 16);
    const all = ['80 of 10', '100 of 10', '80 of 12', '100 of 12', '80 of 20'];
    expect(await percents()).toEqual(all);
    // A limit that returns does not reach its thresholds twice.
    await charge(20, 1);
    await charge(12, 1);
    await charge(10, 1);
    expect(await percents()).toEqual(all);
  });

  test('in any order of limits and charges, both databases follow the rule', async () => {
    const meter = meterOn(database);
    let number = 0;
    const step = record({ limit: integer({ min: 0, max: 12 }), wanted: integer({ min: 1, max: 6 }) });
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        const id = await workspaceNamed(database, `w${number++}`);
        const expected = new Set<string>();
        let used = 0;
        for (const { limit, wanted } of steps) {
          nowMs += 1;
          const decodes = Array.from({ length: wanted }, () => decodeAt(nowMs));
          await meter.charge(subscriber(id, limit), decodes);
          used += Math.min(wanted, Math.max(0, limit - used));
          for (const percent of thresholdsReached(limit, used)) expected.add(`${percent} of ${limit}`);
        }
        expect((await percents(id)).toSorted()).toEqual([...expected].toSorted());
      }),
      { numRuns: 60 },
    );
  });
});
