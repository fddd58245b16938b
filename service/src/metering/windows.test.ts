import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, type OneOutcome, decodeAt, expectCounted, PATIENT, subscriber } from './testing/usage.ts';
import { openMeter, verifyUsage, type Meter } from './index.ts';

const june = Date.UTC(2026, 5, 1);
const july = Date.UTC(2026, 6, 1);

function grantedIn(outcomes: readonly OneOutcome[], resetAtMs: number): number {
  return outcomes.filter((outcome) => outcome.kind === 'granted' && outcome.usage.resetAtMs === resetAtMs).length;
}

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let meters: Meter[];
  let clock: Clock;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    meters = [database, await fresh.open(), await fresh.open()].map((instance) =>
      openMeter(instance, () => clock(), { bounds: PATIENT }),
    );
  });

  afterAll(async () => {
    for (const meter of meters) await meter.close();
    await fresh.remove();
  });

  /** Charges again and again, 30 at a time, until `count` charges were tried. */
  async function load(workspace: string, limit: number, count: number): Promise<OneOutcome[]> {
    const outcomes: OneOutcome[] = [];
    let begun = 0;
    const callAndCall = async (meter: Meter): Promise<void> => {
      while (begun++ < count) outcomes.push(await chargeOne(meter, subscriber(workspace, limit), decodeAt(clock())));
    };
    await Promise.all(Array.from({ length: 10 }, () => meters.map(callAndCall)).flat());
    return outcomes;
  }

  async function counterOf(workspace: string, windowStartMs: number): Promise<number | undefined> {
    const query = database.kysely.selectFrom('usage_counters').select('used');
    const own = query.where('subject', '=', `workspace:${workspace}`).where('window_start', '=', windowStartMs);
    return (await own.executeTakeFirst())?.used;
  }

  test('a month that turns under load gives each side its own limit, and no charge to the wrong side', async () => {
    let readings = 0;
    clock = () => (++readings <= 400 ? june - 1 : june);
    const outcomes = await load('turning', 100, 900);
    expect(outcomes).toHaveLength(900);
    expect(grantedIn(outcomes, june)).toBe(100);
    expect(grantedIn(outcomes, july)).toBe(100);
    expect(await counterOf('turning', Date.UTC(2026, 4, 1))).toBe(100);
    expect(await counterOf('turning', june)).toBe(100);
    await expectCounted(database, 'turning', 200);
    expect((await verifyUsage(database)).disagreements).toEqual([]);
  });

  test('a clock that is set back grants nothing twice', async () => {
    clock = () => june + 1000;
    expect(grantedIn(await load('set-back', 50, 60), july)).toBe(50);
    clock = () => june - 1000;
    expect(grantedIn(await load('set-back', 50, 60), june)).toBe(50);
    clock = () => june + 500;
    expect(grantedIn(await load('set-back', 50, 60), july)).toBe(0);
    await expectCounted(database, 'set-back', 100);
  });

  test('the last moment of a month and the first of the next are kept apart, leap years and all', async () => {
    for (const start of [Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1), Date.UTC(2029, 0, 1)]) {
      clock = () => start - 1;
      const [before] = await load('edges', 1, 1);
      clock = () => start;
      const [after] = await load('edges', 1, 1);
      expect(before).toMatchObject({ usage: { resetAtMs: start } });
      expect(after).toMatchObject({ kind: 'granted' });
    }
  });
});
