import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { UNWRITABLE } from '../kernel/http/health.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { type TestService, testService } from '../testing/service.ts';
import { DEFAULT_BOUNDS } from './bounds.ts';

let cluster: PostgresCluster;
let service: TestService;

beforeEach(async () => {
  cluster = await PostgresCluster.start();
  service = await testService({ DATABASE_URL: cluster.url(), PUBLIC_MONTHLY_LIMIT: '1000' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await cluster.remove();
});

/** Returns the file of the table to which every charge writes. It is empty before the first one. */
async function fileOfCounters(): Promise<string> {
  const { rows } = await sql<{ path: string }>`SELECT pg_relation_filepath('usage_counters') AS path`.execute(
    service.database.kysely,
  );
  return join(cluster.dataFolder, rows[0]?.path ?? '');
}

const decode = () => service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: '1HGCM82633A004352' } });

test("on PostgreSQL's full disk a decode is refused at once and uncharged, and /readyz says why", async () => {
  const file = await fileOfCounters();
  const aside = `${file}.aside`;
  renameSync(file, aside);
  // The device to which nothing can be written, because it is full.
  symlinkSync('/dev/full', file);
  const began = performance.now();
  const refused = await decode();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  // Trying again would take all of it.
  expect(performance.now() - began).toBeLessThan(DEFAULT_BOUNDS.commitMs);
  const ready = await service.app.inject({ url: '/readyz' });
  expect([ready.statusCode, ready.json()]).toEqual([503, { error: UNWRITABLE }]);
  expect(service.logged()).toContain('SQLSTATE 53100');
  rmSync(file);
  renameSync(aside, file);
  // Connections have the device open.
  await cluster.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  expect((await decode()).statusCode).toBe(200);
  expect(await service.charged()).toBe(1);
});
