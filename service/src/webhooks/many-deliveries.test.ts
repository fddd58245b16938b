import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { freshDatabase } from '../testing/databases.ts';
import { refuseManyRows } from '../testing/many-rows.ts';
import { closeWorkspace, removeWebhooks } from '../workspaces/membership.ts';
import { disableEndpoint, removeEndpoint } from './endpoints.ts';
import { emitEvent, endpointAt, endpointDeps, workspaceNamed } from './testing/webhooks.ts';

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

test.each(['removed', 'closed with its workspace'])(
  'an endpoint is %s while the outcomes of a batch are stored, and neither fails',
  async (how) => {
    const data = await freshDatabase('postgres');
    const database = await data.open();
    const { kysely } = database;
    const id = await workspaceNamed(database, 'acme');
    const { endpoint } = await endpointAt(database, id, 'https://example.com/hook');
    for (let number = 0; number < 20; number += 1) await emitEvent(database, id, number);
    await disableEndpoint(endpointDeps(database), endpoint, 'cli:test');
    const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const remove = (): Promise<void> =>
      how === 'removed'
        ? removeEndpoint(endpointDeps(database), endpoint, 'cli:test')
        : removeWebhooks(database, { id });
    // As the worker does it: the endpoint first, then each delivery. A removal takes them in an order of its own.
    const stored = await kysely.transaction().execute(async (transaction) => {
      const own = transaction.selectFrom('webhook_endpoints').select('id').where('id', '=', endpoint.id);
      await own.forNoKeyUpdate().execute();
      const store = transaction.updateTable('webhook_deliveries').set({ attempts: 1 });
      const first = transaction.selectFrom('webhook_deliveries').select((row) => row.fn.min('event_id').as('id'));
      await store.where('event_id', '=', first).execute();
      const removal = remove();
      await expect.poll(async () => (await waiting.execute(kysely)).rows.length).toBeGreaterThan(0);
      await store.execute();
      return { removal };
    });
    await stored.removal;
    expect(await kysely.selectFrom('webhook_endpoints').select('id').execute()).toEqual([]);
    await data.remove();
  },
);

test.each(['disabled', 'removed'])('no row is read for each other one when an endpoint is %s', async (how) => {
  const data = await freshDatabase('postgres');
  const database = await data.open();
  const { kysely } = database;
  const id = await workspaceNamed(database, 'acme');
  const rows = 5_000;
  const insert = async (url: string, state: string, run: string) => {
    const { endpoint } = await endpointAt(database, id, url);
    await sql`INSERT INTO webhook_deliveries (event_id, endpoint_id, type, data, created_at, state, attempts, run_at)
      SELECT 'msg-' || number, ${endpoint.id}, 'webhook.test', '{}', 0, ${state}, 0, ${sql.raw(run)}
      FROM generate_series(1, ${rows}) AS number`.execute(kysely);
    return endpoint;
  };
  await sql`ALTER TABLE webhook_deliveries SET (autovacuum_enabled = off)`.execute(kysely);
  await insert('https://example.com/known', 'delivered', 'NULL');
  await sql`ANALYZE webhook_deliveries`.execute(kysely);
  // What PostgreSQL knows of the table is older than these.
  const endpoint = await insert('https://example.com/new', 'pending', '0');
  const act = how === 'disabled' ? disableEndpoint : removeEndpoint;
  await act(endpointDeps(database), endpoint, 'cli:test');
  // A connection tells what it has read once it ends.
  await database.close();
  const later = await data.open();
  const { rows: read } = await sql<{ tuples: number }>`SELECT (idx_tup_fetch + seq_tup_read)::int AS tuples
    FROM pg_stat_user_tables WHERE relname = 'webhook_deliveries'`.execute(later.kysely);
  expect(read[0]?.tuples).toBeLessThan(10 * rows);
  await data.remove();
});
