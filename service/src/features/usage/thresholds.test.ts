import { array, assert, asyncProperty, integer, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { changeEndpoint } from '../webhooks/endpoints.ts';
import type { Database } from '../../platform/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { decodeAt, expectCounted, subscriber } from '../../testing/usage.ts';
import { endpointAt, endpointDeps, workspaceNamed } from '../../testing/webhooks.ts';
import { type Meter, openMeter } from './index.ts';
import { thresholdsToTell, type Told } from './thresholds.ts';

const MAY = Date.UTC(2026, 4, 20);
const JUNE = Date.UTC(2026, 5, 2);

test.each<[string, number | null, number, Told, number[]]>([
  ['below', 100, 79, { limit: null, percent: 0 }, []],
  ['at eighty', 100, 80, { limit: null, percent: 0 }, [80]],
  ['told', 100, 99, { limit: 100, percent: 80 }, []],
  ['full', 100, 100, { limit: 100, percent: 80 }, [100]],
  ['both at once', 100, 100, { limit: 100, percent: 0 }, [80, 100]],
  ['above a limit that was lowered', 10, 90, { limit: 1000, percent: 0 }, [80, 100]],
  ['a limit that was raised', 1000, 100, { limit: 100, percent: 100 }, []],
  ['shares that are no whole number', 7, 5, { limit: null, percent: 0 }, []],
  ['the next one above such a share', 7, 6, { limit: null, percent: 0 }, [80]],
  ['one decode', 1, 1, { limit: null, percent: 0 }, [80, 100]],
  ['a limit of nought', 0, 0, { limit: null, percent: 0 }, []],
  ['no limit', null, 1_000_000, { limit: null, percent: 0 }, []],
])('%s: of %s used %s', (_, limit, used, told, expected) => {
  expect(thresholdsToTell(limit, used, told)).toEqual(expected);
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
    const meter = openMeter(on, () => nowMs);
    meters.push(meter);
    return meter;
  }

  /** What endpoints are told, in the order in which it was stored. */
  async function told(): Promise<{ percent: number; limit: number; used: number }[]> {
    const rows = await database.kysely
      .selectFrom('webhook_deliveries')
      .select(['data', 'run_at', 'created_at', 'state', 'type', 'event_id'])
      .orderBy('created_at')
      .orderBy('event_id')
      .execute();
    for (const { run_at: runAt, created_at: createdAt, state, type } of rows) {
      expect({ runAt, state, type }).toEqual({ runAt: createdAt, state: 'pending', type: 'usage.threshold' });
    }
    expect(new Set(rows.map(({ event_id: id }) => id)).size).toBe(rows.length);
    return rows.map(({ data: json }) => JSON.parse(json));
  }

  const percents = async () => (await told()).map(({ percent, limit }) => `${percent} of ${limit}`).toSorted();

  test('500 callers at once on several instances: 80 and 100 percent are told once each, and nothing else', async () => {
    await endpointAt(database, workspaceId, 'https://example.com/hook');
    const others = engine === 'postgres' ? [await data.open(), await data.open()] : [];
    const instances = [database, ...others].map(meterOn);
    const [first] = instances;
    if (first === undefined) throw new Error('There is no instance.');
    const caller = subscriber(workspaceId, 400);
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        nowMs += 1;
        return (instances[index % instances.length] ?? first).charge(caller, decodeAt(nowMs));
      }),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'granted')).toHaveLength(400);
    await expectCounted(database, workspaceId, 400);
    const events = (await told()).toSorted((a, b) => a.percent - b.percent);
    expect(events.map(({ percent }) => percent)).toEqual([80, 100]);
    expect(events[0]?.used).toBeGreaterThanOrEqual(320);
    expect(events[1]).toMatchObject({ used: 400, limit: 400 });
  });

  test('each month is told anew, a workspace without an endpoint is not, and the public is not', async () => {
    const meter = meterOn(database);
    const { endpoint } = await endpointAt(database, workspaceId, 'https://example.com/hook');
    const caller = subscriber(workspaceId, 2);
    for (const at of [MAY, MAY + 1, MAY + 2, JUNE, JUNE + 1]) {
      nowMs = at;
      await meter.charge(caller, decodeAt(at));
    }
    expect(await percents()).toEqual(['100 of 2', '100 of 2', '80 of 2', '80 of 2']);
    await meter.charge(subscriber(await workspaceNamed(database, 'deaf'), 1), decodeAt(nowMs));
    await meter.charge({ kind: 'public', clientId: workspaceId, limit: 1 }, decodeAt(nowMs));
    const events = endpoint.events.filter((type) => type !== 'usage.threshold');
    await changeEndpoint(endpointDeps(database), endpoint, { url: endpoint.url, events }, 'person:ada@example.com');
    await meter.charge(subscriber(workspaceId, 3), decodeAt(nowMs));
    expect(await told()).toHaveLength(4);
  });

  test('a limit that changes in the month is told by its own thresholds, with the next request', async () => {
    const meter = meterOn(database);
    await endpointAt(database, workspaceId, 'https://example.com/hook');
    const charge = async (limit: number, times: number) => {
      for (let index = 0; index < times; index++) {
        nowMs += 1;
        await meter.charge(subscriber(workspaceId, limit), decodeAt(nowMs));
      }
    };
    await charge(10, 10);
    expect(await percents()).toEqual(['100 of 10', '80 of 10']);
    await charge(20, 5);
    expect(await percents()).toHaveLength(2);
    await charge(20, 1);
    expect(await percents()).toEqual(['100 of 10', '80 of 10', '80 of 20']);
    // Lowered below what is used: the next one is refused, and told.
    await charge(12, 1);
    await expectCounted(database, workspaceId, 16);
    expect(await percents()).toEqual(['100 of 10', '100 of 12', '80 of 10', '80 of 12', '80 of 20']);
    // There and back: the same news is not told twice.
    await charge(20, 1);
    await charge(12, 1);
    await charge(10, 1);
    expect(await percents()).toEqual(['100 of 10', '100 of 12', '80 of 10', '80 of 12', '80 of 20']);
  });

  test('whatever is asked for, both databases tell what the rule says', { timeout: 60_000 }, async () => {
    const meter = meterOn(database);
    let number = 0;
    const step = record({ limit: integer({ min: 0, max: 12 }), wanted: integer({ min: 1, max: 6 }) });
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        const id = await workspaceNamed(database, `w${number++}`);
        const { endpoint } = await endpointAt(database, id, 'https://example.com/hook');
        const expected = new Set<string>();
        let used = 0;
        let known: Told = { limit: null, percent: 0 };
        for (const { limit, wanted } of steps) {
          nowMs += 1;
          const decodes = Array.from({ length: wanted }, () => decodeAt(nowMs));
          await meter.chargeMany(subscriber(id, limit), decodes);
          used += Math.min(wanted, Math.max(0, limit - used));
          const percents = thresholdsToTell(limit, used, known);
          for (const percent of percents) expected.add(`${percent} of ${limit}`);
          const highest = percents.at(-1);
          if (highest !== undefined) known = { limit, percent: highest };
        }
        const rows = await database.kysely
          .selectFrom('webhook_deliveries')
          .select('data')
          .where('endpoint_id', '=', endpoint.id)
          .execute();
        const stored = rows.map(({ data: json }): { percent: number; limit: number } => JSON.parse(json));
        expect(stored.map(({ percent, limit }) => `${percent} of ${limit}`).toSorted()).toEqual(
          [...expected].toSorted(),
        );
      }),
      { numRuns: 60 },
    );
  });
});
