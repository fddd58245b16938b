import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { audited } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { freshDatabase } from '../testing/databases.ts';
import { refuseManyRows } from '../testing/many-rows.ts';
import { testService } from '../testing/service.ts';
import { forgetBodies, privacy } from './privacy.ts';

const VIN = '1HGCM82633A004352';

test('an erasure of a VIN ends, although the VIN is decoded ever again', async () => {
  await using service = await testService();
  const { app, database } = service;
  await app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
  // Whenever one is masked, another comes, until there are twenty. Its id is the earliest: the next pass finds it.
  await sql`CREATE TRIGGER comes_again AFTER UPDATE ON decodes WHEN (SELECT count(*) FROM decodes) < 20 BEGIN
    INSERT INTO decodes (id, subject, vin, outcome, report, charged, created_at)
      SELECT '0-' || (99 - count(*)), 's', ${sql.lit(VIN)}, '', '', 1, ${sql.lit(systemClock() + 60_000)} FROM decodes;
  END`.execute(database.kysely);
  const deps = { database, clock: systemClock, actor: 'cli:test' } as const;
  const { mask } = await privacy.erasure(deps, { kind: 'vin', vin: VIN });
  expect(await mask?.()).toEqual({ decodes: 2 });
});

test('the hashes of all requests are removed some at a time', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  await sql`INSERT INTO idempotency (scope, idempotency_key, body_hash, outcome, expires_at)
    SELECT scope, 'key-' || number, 'hash', '', 0
    FROM unnest(ARRAY['workspace:w', 'job:workspace:w', 'public:']) AS scope, generate_series(1, 700) AS number`.execute(
    database.kysely,
  );
  await refuseManyRows(database, 'idempotency');
  await forgetBodies(database);
  const left = await database.kysely.selectFrom('idempotency').select('body_hash').distinct().execute();
  expect(left).toEqual([{ body_hash: '' }]);
  await fresh.remove();
});

test('the keys of requests of a workspace are removed some at a time', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  await sql`INSERT INTO idempotency (scope, idempotency_key, body_hash, outcome, expires_at)
    SELECT scope, 'key-' || number, '', '', 0
    FROM unnest(ARRAY['workspace:w', 'job:workspace:w', 'workspace:v']) AS scope, generate_series(1, 700) AS number`.execute(
    database.kysely,
  );
  await refuseManyRows(database, 'idempotency');
  const deps = { database, clock: systemClock, actor: 'cli:test' } as const;
  const { mask, erase } = await privacy.erasure(deps, { kind: 'workspace', id: 'w', slug: 'w' });
  await mask?.();
  await audited(deps, deps.actor, async (act) => erase?.(act));
  const left = await database.kysely.selectFrom('idempotency').select('scope').distinct().execute();
  expect(left).toEqual([{ scope: 'workspace:v' }]);
  await fresh.remove();
});
