import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { StorageUnwritableError } from '../kernel/db/refusal.ts';
import { UNWRITABLE } from '../kernel/http/health.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { type TestService, testService } from '../testing/service.ts';
import { PostgresUsageStore } from './postgres-store.ts';

let cluster: PostgresCluster;
let service: TestService;

async function start(settings: readonly string[] = []): Promise<void> {
  cluster = await PostgresCluster.start({ settings });
  service = await testService({ DATABASE_URL: cluster.url(), PUBLIC_MONTHLY_LIMIT: '1000' });
}

async function stop(): Promise<void> {
  await service[Symbol.asyncDispose]();
  await cluster.remove();
}

beforeEach(async () => start());
afterEach(stop);

/** Puts the full device in the place of an empty table's file. @returns what undoes it. */
async function fillDiskOf(table: string): Promise<() => Promise<void>> {
  const { rows } = await sql<{ path: string }>`SELECT pg_relation_filepath(${table}) AS path`.execute(
    service.database.kysely,
  );
  const file = join(cluster.dataFolder, rows[0]?.path ?? '');
  const aside = `${file}.aside`;
  renameSync(file, aside);
  symlinkSync('/dev/full', file);
  return async () => {
    rmSync(file);
    renameSync(aside, file);
    // Connections have the device open.
    await cluster.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  };
}

const readiness = async () => {
  const ready = await service.app.inject({ url: '/readyz' });
  return [ready.statusCode, ready.json()];
};

const decode = () => service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: '1HGCM82633A004352' } });

test("on PostgreSQL's full disk a decode is refused at once and uncharged, and /readyz says why", async () => {
  // Every charge writes to it.
  const undo = await fillDiskOf('usage_counters');
  const commits = vi.spyOn(PostgresUsageStore.prototype, 'commit');
  const refused = await decode();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  expect(commits).toHaveBeenCalledTimes(1);
  commits.mockRestore();
  expect(await readiness()).toEqual([503, { error: UNWRITABLE }]);
  expect(service.logged()).toContain('SQLSTATE 53100');
  await undo();
  expect((await decode()).statusCode).toBe(200);
  expect(await service.charged()).toBe(1);
});

test("an instance that nobody asks to decode is not ready either, once it wrote to PostgreSQL's full disk", async () => {
  const { database } = service;
  if (database.engine !== 'postgres') throw new Error('This is about PostgreSQL.');
  await sql`CREATE TABLE written (at bigint)`.execute(database.kysely);
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
  await fillDiskOf('written');
  const write = new PostgresUsageStore(database).write({ sql: 'INSERT INTO written VALUES ($1)', parameters: [1] });
  await expect(write).rejects.toThrow('53100');
  expect(await readiness()).toEqual([503, { error: UNWRITABLE }]);
});

/** Puts the full device in the place of what PostgreSQL would write of its log next. */
function fillDiskOfLog(): void {
  const folder = join(cluster.dataFolder, 'pg_wal');
  const last = readdirSync(folder)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .toSorted()
    .at(-1);
  if (last === undefined) throw new Error('PostgreSQL has no log.');
  for (let ahead = 1; ahead <= 8; ahead++) {
    const number = Number.parseInt(last.slice(16), 16) + ahead;
    symlinkSync('/dev/full', join(folder, last.slice(0, 16) + number.toString(16).toUpperCase().padStart(8, '0')));
  }
}

/**
 * Lets a charge be the first to write to the full disk of the log. Processes of PostgreSQL write to it as well: if one
 * of them or the switch is first, tries with another server. @returns the answers of the first decodes.
 */
async function firstRefusals(): Promise<number[]> {
  for (let tries = 0; tries < 8; tries++) {
    expect((await decode()).statusCode).toBe(200);
    fillDiskOfLog();
    const isSwitched = await cluster.run('SELECT pg_switch_wal()').then(
      () => true,
      () => false,
    );
    if (isSwitched) {
      using commits = vi.spyOn(PostgresUsageStore.prototype, 'commit');
      const answers = await Promise.all([decode(), decode(), decode()]);
      if (commits.mock.settledResults[0]?.value instanceof StorageUnwritableError)
        return answers.map(({ statusCode }) => statusCode);
    }
    await stop();
    await start();
  }
  throw new Error('No charge was the first to write to the full disk.');
}

test('requests wait no longer once a PostgreSQL that crashed under them has given up starting again', async () => {
  // As after a process that found the disk of the log full: the service learns of a crash, and then nothing listens.
  await stop();
  await start(['restart_after_crash=off']);
  expect((await decode()).statusCode).toBe(200);
  await cluster.crash();
  using commits = vi.spyOn(PostgresUsageStore.prototype, 'commit');
  expect((await decode()).statusCode).toBe(503);
  // One each 20 ms, for half a second.
  expect(commits.mock.calls.length).toBeLessThan(30);
  expect((await readiness())[0]).toBe(503);
});

test('when PostgreSQL stops because the disk of its log is full, decodes are refused at once, and /readyz says why', async () => {
  expect(await firstRefusals()).toEqual([503, 503, 503]);
  expect(await readiness()).toEqual([503, { error: UNWRITABLE }]);
  // The next ones find a server that stops, and then none.
  for (let nth = 1; nth <= 3; nth++) {
    const answers = await Promise.all([decode(), decode(), decode()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(await readiness()).toEqual([503, { error: UNWRITABLE }]);
  }
});
