import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { systemClock } from '../../clock.ts';
import { PostgresCluster } from '../../../testing/postgres-cluster.ts';
import { testService } from '../../../testing/service.ts';
import { until } from '../../../testing/until.ts';
import { chargeOne, decodeAt, expectCounted, subscriber } from '../../../metering/testing/usage.ts';
import { openMeter, verifyUsage } from '../../../metering/index.ts';
import { openDatabase } from '../../../database.ts';
import type { Database } from '../index.ts';

const DATABASE = 'marque';
/** Files that belong to the running server, not to its data. */
const NOT_COPIED = /\/data\/(?:pg_wal\/.+|postmaster\.(?:pid|opts)|pg_replslot\/.+)$/;

let folder: string;
let archive: string;
let cluster: PostgresCluster;
const clusters: PostgresCluster[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marque-archive-'));
  chmodSync(folder, 0o755);
  archive = join(folder, 'wal');
  mkdirSync(archive);
  // The server may run as another user than the tests.
  chmodSync(archive, 0o777);
  // Under its name only when it is whole: the test waits for the name.
  const keep = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;
  cluster = await PostgresCluster.start({
    settings: ['archive_mode=on', `archive_command=${keep}`],
  });
  clusters.push(cluster);
});

afterEach(async () => {
  for (const made of clusters.splice(0)) await made.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks a server for one text, on a connection of its own. */
async function ask(url: string, query: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: string }>(query);
    return rows[0]?.answer ?? '';
  } finally {
    await client.end();
  }
}

/** Copies the files of the running server as `pg_basebackup` does. */
async function baseBackup(to: string): Promise<void> {
  const client = new Client({ connectionString: cluster.url() });
  await client.connect();
  await client.query("SELECT pg_backup_start('drill', true)");
  cpSync(cluster.dataFolder, to, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
  const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>('SELECT * FROM pg_backup_stop()');
  await client.end();
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
}

/** Charges from three callers at once until stopped. @returns how many were charged. */
function load(database: Database): () => Promise<number> {
  const meter = openMeter(database, systemClock);
  const stop = new AbortController();
  let charged = 0;
  const callers = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) {
      const outcome = await chargeOne(meter, subscriber('w', null), decodeAt(systemClock()));
      if (outcome.kind === 'granted') charged++;
    }
  });
  return async () => {
    await until(async () => charged > 20);
    stop.abort();
    await Promise.all(callers);
    await meter.close();
    return charged;
  };
}

/** Returns a server on the base backup, with the archived log up to a moment. It stops there and waits. */
async function restoredTo(backup: string, moment: string): Promise<PostgresCluster> {
  const restored = await PostgresCluster.start({
    settings: [`restore_command=cp ${archive}/%f %p`, `recovery_target_time=${moment}`, 'recovery_target_action=pause'],
    fill: (data) => {
      cpSync(backup, data, { recursive: true });
      writeFileSync(join(data, 'recovery.signal'), '');
      chmodSync(data, 0o700);
    },
  });
  clusters.push(restored);
  return restored;
}

// Two servers are made here.
const TIMEOUT_MS = 120_000;

test(
  'PostgreSQL is brought back to a moment, from a base backup made under load and its archived log',
  { timeout: TIMEOUT_MS },
  async () => {
    await cluster.run(`CREATE DATABASE ${DATABASE}`);
    const database = await openDatabase({ dataDir: folder, databaseUrl: cluster.url(DATABASE) }, 'service');
    const backup = join(folder, 'base');
    const stopBefore = load(database);
    await baseBackup(backup);
    const before = await stopBefore();

    const moment = await ask(cluster.url(DATABASE), 'SELECT clock_timestamp()::text AS answer');
    const after = await load(database)();
    await expectCounted(database, 'w', before + after);
    const last = await ask(cluster.url(DATABASE), 'SELECT pg_walfile_name(pg_switch_wal()) AS answer');
    await until(async () => existsSync(join(archive, last)));
    await database.close();
    // The machine is lost.
    await cluster.stopServer('immediate');

    const restored = await restoredTo(backup, moment);
    const url = restored.url(DATABASE);
    await until(async () => (await ask(url, 'SELECT pg_get_wal_replay_pause_state() AS answer')) === 'paused');
    expect(await ask(url, 'SELECT sum(charged)::text AS answer FROM usage_ledger')).toBe(String(before));
    await restored.run('SELECT pg_wal_replay_resume()');
    await until(async () => (await ask(url, 'SELECT pg_is_in_recovery()::text AS answer')) === 'false');
    await using service = await testService({ DATABASE_URL: restored.url(DATABASE) });
    expect((await verifyUsage(service.database)).disagreements).toEqual([]);
    await expectCounted(service.database, 'w', before);
    const payload = { vin: '1HGCM82633A004352' };
    expect((await service.app.inject({ method: 'POST', url: '/api/decode', payload })).statusCode).toBe(200);
  },
);
