import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { verifyUsage } from './metering/index.ts';
import { openDatabase, restoreDatabase } from './database.ts';
import { DAY_MS, systemClock } from './kernel/clock.ts';
import type { DatabaseLocation } from './kernel/db/index.ts';
import { SQLITE_FILE } from './kernel/db/sqlite.ts';
import { SERVICE_VERSION } from './kernel/version.ts';
import { ENGINES, type Engine, freshDatabase, type TestDatabase } from './testing/databases.ts';
import { earlierBackups, filesOf, type Known, releases } from './testing/release/known.ts';
import { testService, type TestService } from './testing/service.ts';
import { tablesAndRoutines } from './testing/tables.ts';
import { until } from './testing/until.ts';

const RELEASED = ENGINES.flatMap((engine) => releases().map((version) => ({ engine, version })));

const CHANGED =
  'A migration that ran there has changed. A released one never may; before its release, npm run release:database writes the database anew.';

test('the database of this version is kept: npm run release:database', () => {
  expect(releases()).toContain(SERVICE_VERSION);
});

describe.each(RELEASED)('the $engine database of $version', ({ engine, version }) => {
  let fresh: TestDatabase;
  let location: DatabaseLocation;
  let known: Known;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    const all: Record<Engine, Known> = JSON.parse(readFileSync(filesOf(version).known, 'utf8'));
    known = all[engine];
    location = await emptyOf(fresh);
    await load(version, location);
  });

  afterEach(async () => {
    await fresh.remove();
  });

  test('has the tables and routines of a new one when it is upgraded', async () => {
    const upgraded = await openDatabase(location, 'tool').catch((cause: unknown) => {
      throw new Error(CHANGED, { cause });
    });
    const made = await fresh.open();
    try {
      expect(await tablesAndRoutines(upgraded)).toEqual(await tablesAndRoutines(made));
    } finally {
      await upgraded.close();
    }
  });

  test('serves on when it is upgraded: keys, counters, corrections, reports, sessions and jobs', async () => {
    await using service = await serviceOn(location);
    const { app, database } = service;
    const headers = { 'x-api-key': known.key };
    const get = (url: string) => app.inject({ url, headers });

    await until(async () => (await get(`/api/jobs/${known.jobId}`)).json<{ status: string }>().status === 'completed');
    const decodes = known.charged + known.jobVins;
    expect(await verifyUsage(database)).toMatchObject({ decodes, disagreements: [] });

    const decode = { method: 'POST', url: '/api/decode', payload: { vin: known.vin } } as const;
    const answer = await app.inject({ ...decode, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ report: { model: known.model }, metadata: { plan: 'business' } });
    expect(await verifyUsage(database)).toMatchObject({ decodes: decodes + 1, disagreements: [] });
    const refused = await app.inject({ ...decode, headers: { 'x-api-key': known.revokedKey } });
    expect(refused.statusCode).toBe(401);

    const { reports } = (await get('/api/reports')).json<{ reports: { state: string }[] }>();
    expect(reports.map(({ state }) => state)).toEqual(['queued', 'accepted']);
    // The session is from then, too.
    const nowMs = systemClock();
    await database.kysely
      .updateTable('auth_sessions')
      .set({ created_at: new Date(nowMs).toISOString(), expires_at: new Date(nowMs + DAY_MS).toISOString() })
      .execute();
    const portal = await app.inject({ url: '/portal/acme', headers: { cookie: known.cookie } });
    expect(portal.statusCode).toBe(200);
  });
});

const EARLIER = ENGINES.flatMap((engine) => earlierBackups().map((backup) => Object.assign(backup, { engine })));

describe.each(EARLIER)('a backup of $day', ({ engine, file, known }) => {
  let fresh: TestDatabase;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
  });

  afterEach(async () => {
    await fresh.remove();
  });

  test(`is restored on ${engine}, and its users notice nothing`, async () => {
    const location = await emptyOf(fresh);
    expect((await restoreDatabase(location, file)).leftOut).toEqual([]);
    await using service = await serviceOn(location);
    const { app, database } = service;
    // The records of requests that may be repeated are from then.
    await database.kysely
      .updateTable('idempotency')
      .set({ expires_at: systemClock() + DAY_MS })
      .execute();
    const headers = { 'x-api-key': known.key };
    const get = (url: string) => app.inject({ url, headers });
    const csvOf = (jobId: string) =>
      app.inject({ url: `/api/jobs/${jobId}/results`, headers: { ...headers, accept: 'text/csv' } });
    const decode = (more: Record<string, string> = {}, vin = known.vin) =>
      app.inject({ method: 'POST', url: '/api/decode', payload: { vin }, headers: { ...headers, ...more } });

    await until(async () => (await get(`/api/jobs/${known.jobId}`)).json<{ status: string }>().status === 'completed');
    const decodes = known.charged + known.jobVins;
    expect(await verifyUsage(database)).toMatchObject({ decodes, disagreements: [] });
    expect((await csvOf(known.jobId)).statusCode).toBe(200);
    for (const { id, line } of known.finishedJobs) expect((await csvOf(id)).body).toContain(`\n${line};`);
    for (const { key, vin } of known.repeatable) {
      const again = await decode({ 'idempotency-key': key }, vin);
      expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    }
    expect((await decode()).json()).toMatchObject({ report: { model: known.model } });
    expect(await verifyUsage(database)).toMatchObject({ decodes: decodes + 1, disagreements: [] });
    expect((await decode({ 'x-api-key': known.revokedKey })).statusCode).toBe(401);
    expect((await get('/api/reports')).json<{ reports: object[] }>().reports).toHaveLength(2);
  });
});

/** Returns the location of a database that has no table yet. */
async function emptyOf(fresh: TestDatabase): Promise<DatabaseLocation> {
  const { dataDir, databaseUrl } = fresh.location;
  if (databaseUrl === undefined) return { dataDir: join(dataDir, 'released'), databaseUrl };
  // oxlint-disable-next-line no-restricted-properties -- an address, not a file
  const name = `${new URL(databaseUrl).pathname.slice(1)}_released`;
  await onPostgres(databaseUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  return { dataDir, databaseUrl: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href };
}

async function load(version: string, { dataDir, databaseUrl }: DatabaseLocation): Promise<void> {
  const files = filesOf(version);
  if (databaseUrl !== undefined) return onPostgres(databaseUrl, readFileSync(files.postgres, 'utf8'));
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, SQLITE_FILE), gunzipSync(readFileSync(files.sqlite)));
}

async function onPostgres(connectionString: string, statements: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** Returns a service that keeps decodes however old they are: the releases' are from then. */
function serviceOn({ dataDir, databaseUrl }: DatabaseLocation): Promise<TestService> {
  return testService({
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    DECODE_LOG_RETENTION_DAYS: '36500',
  });
}
