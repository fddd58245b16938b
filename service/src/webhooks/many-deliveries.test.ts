import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { freshDatabase } from '../testing/databases.ts';
import { refuseManyRows } from '../testing/many-rows.ts';
import { closeWorkspace } from '../workspaces/membership.ts';
import { disableEndpoint, removeEndpoint } from './endpoints.ts';
import { endpointAt, endpointDeps, workspaceNamed } from './testing/webhooks.ts';

test.each(['disabled', 'removed', 'closed with its workspace'])(
  'what waits for an endpoint that is %s ends some at a time',
  async (how) => {
    const data = await freshDatabase('postgres');
    const database = await data.open();
    const { kysely } = database;
    const id = await workspaceNamed(database, 'acme');
    const { endpoint } = await endpointAt(database, id, 'https://example.com/hook');
    await sql`INSERT INTO webhook_deliveries (event_id, endpoint_id, type, data, created_at, state, attempts, run_at)
      SELECT 'msg-' || number, ${endpoint.id}, 'webhook.test', '{}', 0, 'pending', 0, 0
      FROM generate_series(1, 1300) AS number`.execute(kysely);
    await refuseManyRows(database, 'webhook_deliveries');
    if (how === 'disabled') await disableEndpoint(endpointDeps(database), endpoint, 'cli:test');
    else if (how === 'removed') await removeEndpoint(endpointDeps(database), endpoint, 'cli:test');
    else await closeWorkspace({ database, clock: systemClock }, { id, slug: 'acme' }, 'cli:test');
    const states = kysely.selectFrom('webhook_deliveries').select('state').distinct();
    expect(await states.execute()).toEqual(how === 'disabled' ? [{ state: 'failed' }] : []);
    const endpoints = await kysely.selectFrom('webhook_endpoints').select('disabled_why').execute();
    expect(endpoints).toEqual(how === 'disabled' ? [{ disabled_why: 'person' }] : []);
    await data.remove();
  },
);
