import { afterEach, beforeEach, expect, test } from 'vitest';

import { chargeOne, decodeAt, subscriber } from '../../metering/testing/usage.ts';
import { openMeter } from '../../metering/index.ts';
import { openDatabase } from '../../database.ts';
import { PostgresCluster } from '../../testing/postgres-cluster.ts';
import { freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { until } from '../../testing/until.ts';
import { type PostgresDatabase, ServerWatch } from './index.ts';

/** Further than the clocks may differ. */
const FAR_MS = 60_000;

let fresh: TestDatabase;
let database: PostgresDatabase;
let logged: string[];

const log = {
  warn: (...words: unknown[]) => void logged.push(words.join(' ')),
  error: (...words: unknown[]) => void logged.push(words.join(' ')),
};

beforeEach(async () => {
  logged = [];
  fresh = await freshDatabase('postgres');
  const opened = await fresh.open();
  if (opened.engine !== 'postgres') throw new Error(opened.engine);
  database = opened;
});

afterEach(async () => {
  await fresh.remove();
});

test.each([-FAR_MS, FAR_MS])(
  'a clock that is %i ms ahead of PostgreSQL charges nothing until it is set',
  async (far) => {
    let aheadMs = far;
    const clock = (): number => Date.now() + aheadMs;
    const watch = await ServerWatch.open(database, clock, log);
    const meter = openMeter(database, clock, { mayCharge: () => watch.isClockRight() });
    const charge = async () => (await chargeOne(meter, subscriber('w', null), decodeAt(clock()))).kind;
    expect(watch.state.aheadMs).toBeGreaterThan(far - 1_000);
    expect(watch.state.aheadMs).toBeLessThan(far + 1_000);
    expect(await charge()).toBe('overloaded');
    expect(logged.join('')).toContain(`clock is 60 s ${far > 0 ? 'ahead of' : 'behind'} PostgreSQL's`);
    aheadMs = 0;
    await until(async () => (await charge()) === 'granted');
    await watch.close();
    await meter.close();
  },
);

test('a clock that jumps between two looks charges nothing from that moment', async () => {
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const watch = await ServerWatch.open(database, clock, log);
  expect(watch.isClockRight()).toBe(true);
  aheadMs = FAR_MS;
  expect(watch.isClockRight()).toBe(false);
  await watch.look();
  expect(watch.isClockRight()).toBe(false);
  expect(watch.state.aheadMs).toBeGreaterThan(FAR_MS - 1_000);
  await watch.close();
});

test('an asynchronous standby is warned of once, a synchronous one is not', async () => {
  const primary = await PostgresCluster.start();
  const standby = await primary.startStandby({ isAsynchronous: true });
  const opened = await openDatabase({ dataDir: '', databaseUrl: primary.url() }, 'tool');
  if (opened.engine !== 'postgres') throw new Error(opened.engine);
  const watch = await ServerWatch.open(opened, Date.now, log);
  await until(async () => {
    await watch.look();
    return watch.state.isAsynchronous;
  });
  await watch.look();
  expect(logged).toEqual([expect.stringContaining('Set synchronous_standby_names')]);
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await primary.run('SELECT pg_reload_conf()');
  await until(async () => {
    await watch.look();
    return !watch.state.isAsynchronous;
  });
  await watch.close();
  await opened.close();
  await primary.remove();
  await standby.remove();
});
