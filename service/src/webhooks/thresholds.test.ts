import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, decodeAt, subscriber } from '../metering/testing/usage.ts';
import { endpointAt, endpointDeps, workspaceNamed } from './testing/webhooks.ts';
import { openMeter, prune } from '../metering/index.ts';
import { latestDeliveries } from './deliveries.ts';
import { changeEndpoint } from './endpoints.ts';
import { enqueueThresholds } from './enqueue.ts';

const NOW = Date.UTC(2026, 4, 20);

describe.each(ENGINES)('on %s', (engine) => {
  let data: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    data = await freshDatabase(engine);
    database = await data.open();
  });

  afterEach(() => data.remove());

  /** Uses a limit of two up. */
  async function useUp(workspaceId: string): Promise<void> {
    const meter = openMeter(database, () => NOW);
    await chargeOne(meter, subscriber(workspaceId, 2), decodeAt(NOW));
    await chargeOne(meter, subscriber(workspaceId, 2), decodeAt(NOW));
    await meter.close();
  }

  test('each threshold is one event for the endpoints that subscribed, however many instances look', async () => {
    const workspaceId = await workspaceNamed(database, 'acme');
    const { endpoint } = await endpointAt(database, workspaceId, 'https://example.com/hook');
    const { endpoint: other } = await endpointAt(database, workspaceId, 'https://example.com/other');
    const wanted = { url: other.url, events: ['report.decided'] as const };
    await changeEndpoint(endpointDeps(database), other, wanted, 'person:ada@example.com');
    await useUp(workspaceId);
    const instances = [database, await data.open(), await data.open()];
    await Promise.all(instances.map((instance) => enqueueThresholds(instance, NOW + 1)));
    await useUp(workspaceId);
    await enqueueThresholds(database, NOW + 2);
    const deliveries = await latestDeliveries(database, endpoint.id, 10);
    const bodies = deliveries.map(({ body }) => JSON.parse(body));
    const about = { limit: 2, used: 2, windowStart: '2026-05-01T00:00:00.000Z', resetAt: '2026-06-01T00:00:00.000Z' };
    const event = { type: 'usage.threshold', timestamp: new Date(NOW).toISOString() };
    expect(bodies.toSorted((a, b) => a.data.percent - b.data.percent)).toEqual([
      { ...event, data: { percent: 80, ...about } },
      { ...event, data: { percent: 100, ...about } },
    ]);
    expect(await latestDeliveries(database, other.id, 10)).toEqual([]);
  });

  test('thresholds are removed after their month, once they were handled', async () => {
    const workspaceId = await workspaceNamed(database, 'acme');
    await useUp(workspaceId);
    const count = async () => (await database.kysely.selectFrom('usage_thresholds').selectAll().execute()).length;
    await prune(database, Date.UTC(2026, 6, 2), 90);
    expect(await count()).toBe(2);
    await enqueueThresholds(database, NOW);
    await prune(database, Date.UTC(2026, 4, 31), 90);
    expect(await count()).toBe(2);
    await prune(database, Date.UTC(2026, 6, 2), 90);
    expect(await count()).toBe(0);
  });
});
