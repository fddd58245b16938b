import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { endpointAt, emitEvent, workspaceNamed } from './testing/webhooks.ts';
import { latestDeliveries, removeOldDeliveries } from './deliveries.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 20);

describe.each(ENGINES)('on %s', (engine) => {
  let data: TestDatabase;
  let database: Database;
  let endpointId: string;

  beforeEach(async () => {
    data = await freshDatabase(engine);
    database = await data.open();
    const workspaceId = await workspaceNamed(database, 'acme');
    endpointId = (await endpointAt(database, workspaceId, 'https://example.com/hook')).endpoint.id;
    for (const days of [0, 5, 29, 31, 40]) await emitEvent(database, workspaceId, days, NOW - days * DAY_MS);
  });

  afterEach(() => data.remove());

  const ages = async () =>
    (await latestDeliveries(database, endpointId, 100)).map(({ createdAtMs }) => (NOW - createdAtMs) / DAY_MS);

  const finish = () =>
    database.kysely.updateTable('webhook_deliveries').set({ state: 'delivered', run_at: null }).execute();

  test('delivered events are kept for 30 days, or as long as decodes if that is less', async () => {
    await finish();
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(2);
    expect(await ages()).toEqual([0, 5, 29]);
    expect(await removeOldDeliveries(database, NOW, 7)).toBe(1);
    expect(await ages()).toEqual([0, 5]);
  });

  test('a delivery that still waits is never removed', async () => {
    expect(await removeOldDeliveries(database, NOW, 1)).toBe(0);
    expect(await ages()).toHaveLength(5);
  });

  test('many are removed in batches, all of them', async () => {
    await finish();
    const row = { endpoint_id: endpointId, type: 'webhook.test', data: '{}', state: 'failed', attempts: 9 } as const;
    const rows = Array.from({ length: 1_300 }, (_, number) => ({
      ...row,
      event_id: `old-${number}`,
      created_at: NOW - 50 * DAY_MS - Math.floor(number / 7),
    }));
    for (let at = 0; at < rows.length; at += 100) {
      await database.kysely
        .insertInto('webhook_deliveries')
        .values(rows.slice(at, at + 100))
        .execute();
    }
    expect(await removeOldDeliveries(database, NOW, 90)).toBe(1_302);
    expect(await ages()).toEqual([0, 5, 29]);
  });
});
