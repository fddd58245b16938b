import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { audited } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { SLICES } from '../slices.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { emitEvent, endpointAt, workspaceNamed } from '../webhooks/testing/webhooks.ts';
import { closeWithin } from './membership.ts';
import { setSuspended } from './workspaces.ts';

describe.each(ENGINES)('on %s', (engine) => {
  let data: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    data = await freshDatabase(engine);
    database = await data.open();
  });

  afterEach(() => data.remove());

  test('webhooks of a closed workspace go with the next removal if the process ended before, and no other', async () => {
    const deps = { database, clock: systemClock };
    for (const slug of ['closed', 'suspended', 'open']) {
      const id = await workspaceNamed(database, slug);
      await endpointAt(database, id, `https://${slug}.example.com/hook`);
      await emitEvent(database, id);
      if (slug === 'suspended') await setSuspended(deps, slug, true, 'cli:test');
      if (slug === 'closed') await audited(deps, 'cli:test', (act) => closeWithin(act, { id, slug }), 'access');
    }
    const { signal } = new AbortController();
    for (const { retention } of SLICES) await retention?.(database, { nowMs: systemClock(), decodeDays: 90, signal });
    const left = database.kysely.selectFrom('webhook_endpoints').innerJoin('webhook_deliveries', 'endpoint_id', 'id');
    expect(await left.select('url').orderBy('url').execute()).toEqual([
      { url: 'https://open.example.com/hook' },
      { url: 'https://suspended.example.com/hook' },
    ]);
  });
});
