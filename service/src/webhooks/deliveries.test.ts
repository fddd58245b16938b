import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listAudit } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { endpointAt, endpointDeps, emitEvent, workspaceNamed } from './testing/webhooks.ts';
import { disableEndpoint, findEndpointById, removeEndpoint } from './endpoints.ts';
import { countDeliveries, latestDeliveries, removeOldDeliveries } from './deliveries.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 20);

const signedOut = () => Promise.reject(new Error('signed out'));

describe.each(ENGINES)('on %s', (engine) => {
  let data: TestDatabase;
  let database: Database;
  let endpointId: string;
  let workspaceId: string;

  beforeEach(async () => {
    data = await freshDatabase(engine);
    database = await data.open();
    workspaceId = await workspaceNamed(database, 'acme');
    endpointId = (await endpointAt(database, workspaceId, 'https://example.com/hook')).endpoint.id;
    for (const days of [0, 5, 29, 31, 40]) await emitEvent(database, workspaceId, days, NOW - days * DAY_MS);
  });

  afterEach(() => data.remove());

  const ages = async () =>
    (await latestDeliveries(database, endpointId, 100)).map(({ createdAtMs }) => (NOW - createdAtMs) / DAY_MS);

  const entriesOf = async (action: string) => (await listAudit(database, { action })).length;

  const finish = () =>
    database.kysely.updateTable('webhook_deliveries').set({ state: 'delivered', run_at: null }).execute();

  test('delivered events are kept for 30 days, or as long as decodes if that is less', async () => {
    await finish();
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(2);
    expect(await ages()).toEqual([0, 5, 29]);
    expect(await removeOldDeliveries(database, NOW, 7)).toBe(1);
    expect(await ages()).toEqual([0, 5]);
  });

  test('a delivery that still waits is kept for three days at least, and no longer than others', async () => {
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(2);
    expect(await ages()).toEqual([0, 5, 29]);
    await emitEvent(database, workspaceId, 2, NOW - 2 * DAY_MS);
    expect(await removeOldDeliveries(database, NOW, 1)).toBe(2);
    expect(await ages()).toEqual([0, 2]);
  });

  const insertMany = async (count: number, createdAtMs: number) => {
    const row = { endpoint_id: endpointId, type: 'webhook.test', data: '{}', state: 'failed', attempts: 9 } as const;
    const rows = Array.from({ length: count }, (_, number) => ({
      ...row,
      event_id: `old-${number}`,
      created_at: createdAtMs - Math.floor(number / 7),
    }));
    for (let at = 0; at < rows.length; at += 100) {
      await database.kysely
        .insertInto('webhook_deliveries')
        .values(rows.slice(at, at + 100))
        .execute();
    }
  };

  test('of an endpoint the last thousand are kept, and what waits', async () => {
    await insertMany(1_600, NOW - 10 * DAY_MS);
    // Those that failed are counted; of five that wait, two are too old.
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(602);
    const kept = await latestDeliveries(database, endpointId, 2_000);
    expect(kept.filter(({ state }) => state === 'pending')).toHaveLength(3);
    expect(Math.min(...kept.filter(({ state }) => state === 'failed').map((one) => one.createdAtMs))).toBe(
      NOW - 10 * DAY_MS - Math.floor(999 / 7),
    );
  });

  test('the latest hundred are counted, however many there are', async () => {
    await insertMany(300, NOW - DAY_MS);
    expect(await countDeliveries(database, [endpointId])).toEqual(
      expect.arrayContaining([
        { endpointId, state: 'pending', count: 1 },
        { endpointId, state: 'failed', count: 99 },
      ]),
    );
  });

  test('an endpoint whose removal is refused keeps what waits', async () => {
    const endpoint = await findEndpointById(database, endpointId);
    if (endpoint === undefined) throw new Error('no endpoint');
    await expect(
      removeEndpoint({ ...endpointDeps(database), recheck: signedOut }, endpoint, 'cli:test'),
    ).rejects.toThrow('signed');
    expect(await ages()).toHaveLength(5);
    const removing = [1, 2, 3].map(() => removeEndpoint(endpointDeps(database), endpoint, 'cli:test'));
    await Promise.all(removing);
    expect(await ages()).toEqual([]);
    // A removal that is cut off in between has disabled it.
    expect([await entriesOf('webhook.disabled'), await entriesOf('webhook.removed')]).toEqual([1, 1]);
  });

  test('an endpoint that is disabled is not disabled again', async () => {
    const endpoint = await findEndpointById(database, endpointId);
    if (endpoint === undefined) throw new Error('no endpoint');
    for (let times = 0; times < 3; times++) await disableEndpoint(endpointDeps(database), endpoint, 'cli:test');
    expect(await entriesOf('webhook.disabled')).toBe(1);
  });

  test('many are removed in batches, all of them', async () => {
    await finish();
    await insertMany(1_300, NOW - 50 * DAY_MS);
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(1_302);
    expect(await ages()).toEqual([0, 5, 29]);
  });
});
