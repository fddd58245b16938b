import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { until } from '../../testing/until.ts';
import { FIRST_VERSION } from './table.ts';
import { openDatabase } from '../../database.ts';
import { change } from './changes.ts';
import { type PostgresDatabase, UnusableDatabaseError } from './index.ts';

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
  });

  afterEach(async () => {
    await fresh.remove();
  });

  test('programs that start at once migrate once', async () => {
    const opened = await Promise.all([fresh.open(), fresh.open(), fresh.open()]);
    const versions = await sql<{ version: number }>`SELECT version FROM schema_versions ORDER BY version`.execute(
      opened[0].kysely,
    );
    expect(versions.rows.map(({ version }) => version)).toEqual(versions.rows.map((_, index) => FIRST_VERSION + index));
  });

  test.each([
    {
      of: 'a newer program',
      change: sql`INSERT INTO schema_versions VALUES (999, 'future', 'ab', '7.8.9', 0)`,
      words: /upgraded by Marque 7\.8\.9, .*Start the newer program\. To go back, .* restore a backup from before/,
    },
    {
      of: 'another migration of the same number',
      change: sql`UPDATE schema_versions SET fingerprint = 'ab', program = '0.0.9' WHERE version = ${FIRST_VERSION}`,
      words:
        /migration 100 \(start\), as Marque 0\.0\.9 ran it, .*Start the program that wrote .*back it up with the program that wrote it/,
    },
  ])('the database of $of is refused by every command, with words that say what to do', async ({ change, words }) => {
    const { kysely } = await fresh.open();
    await change.execute(kysely);
    await expect(fresh.open()).rejects.toThrow(UnusableDatabaseError);
    await expect(fresh.open()).rejects.toThrow(words);
    await expect(fresh.open()).rejects.toThrow(
      engine === 'sqlite' ? /move the files marque\.db\* out/ : /point DATABASE_URL to a new, empty database/,
    );
  });

  test('a database from before the first release is refused, and left as it is', async () => {
    const { kysely } = await fresh.open();
    await sql`DROP TABLE schema_versions`.execute(kysely);
    await sql`CREATE TABLE schema_versions (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)`.execute(
      kysely,
    );
    await sql`INSERT INTO schema_versions VALUES (1, 'start', 0), (2, 'more', 0)`.execute(kysely);
    await expect(fresh.open()).rejects.toThrow(
      /from before the first release.* back it up with the program that wrote it .*marque db restore FILE$/,
    );
    expect((await sql`SELECT * FROM schema_versions`.execute(kysely)).rows).toHaveLength(2);
  });

  test('a count beyond 32 bits and a time in milliseconds come back as they went in', async () => {
    const { kysely } = await fresh.open();
    const row = { subject: 's', window_start: 4_102_444_800_000, used: 9_007_199_254_740_991 };
    await kysely.insertInto('usage_counters').values(row).execute();
    expect(await kysely.selectFrom('usage_counters').select(['subject', 'window_start', 'used']).execute()).toEqual([
      row,
    ]);
  });

  test('a transaction that fails leaves nothing, and the next one works', async () => {
    const { kysely } = await fresh.open();
    const failing = kysely.transaction().execute(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await kysely.transaction().execute((transaction) => transaction.selectFrom('settings').selectAll().execute());
    expect(await kysely.selectFrom('settings').selectAll().execute()).toEqual([]);
  });
});

test('on PostgreSQL, a version that fell, where a server took over without the last changes, is seen, and the next one is another', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  const other = await fresh.open();
  const version = async () => database.changes.version('access');
  const changed = async (): Promise<number> => {
    await change(other, 'access', async () => {});
    const row = other.kysely.selectFrom('change_counters').select('version').where('topic', '=', 'access');
    return (await row.executeTakeFirstOrThrow()).version;
  };
  const kept = await changed();
  const lost = await changed();
  await expect.poll(version).toBe(lost);
  await other.kysely.updateTable('change_counters').set({ version: kept }).where('topic', '=', 'access').execute();
  await expect.poll(version).toBe(kept);
  const next = await changed();
  expect(next).toBeGreaterThan(kept);
  expect(next).not.toBe(lost);
  await expect.poll(version).toBe(next);
  await fresh.remove();
});

describe('a SQLite folder', () => {
  let fresh: TestDatabase;

  beforeEach(async () => {
    fresh = await freshDatabase('sqlite');
  });

  afterEach(async () => {
    await fresh.remove();
  });

  test('takes one service at a time, and commands beside it', async () => {
    const service = await fresh.open('service');
    await expect(fresh.open('service')).rejects.toThrow(/Another service is running/);
    await fresh.open('tool');
    await service.close();
    await fresh.open('service');
  });

  test('opens for a command while a transaction of the service is under way', async () => {
    const { kysely } = await fresh.open('service');
    const { kysely: command } = await kysely.transaction().execute(() => fresh.open('tool'));
    expect(await command.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  test('is free again when its service was killed', async () => {
    const script = `
      const { openDatabase } = await import(${JSON.stringify(new URL('../../database.ts', import.meta.url).href)});
      await openDatabase(${JSON.stringify(fresh.location)}, 'service');
      console.log('open');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(openDatabase(fresh.location, 'service')).rejects.toThrow(/Another service is running/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await fresh.open('service');
  });

  test("waits for another process's lock without stopping the event loop", async () => {
    const { kysely } = await fresh.open();
    const other = await fresh.open();
    if (other.engine !== 'sqlite') throw new Error('not SQLite');
    other.direct.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const count = setInterval(() => (turns += 1), 5);
    const write = kysely.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
    await until(async () => turns > 10);
    other.direct.exec('COMMIT');
    await write;
    clearInterval(count);
    const stored = kysely.selectFrom('settings').select('value').where('name', '=', 'a');
    expect(await stored.execute()).toEqual([{ value: 'b' }]);
  });
});

test('a connection to PostgreSQL that breaks in use, between two statements, ends no process and is replaced', async () => {
  const fresh = await freshDatabase('postgres');
  const { pool, kysely } = await openedPostgres(fresh);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat|closed/i);
  client.release();
  expect(await kysely.selectFrom('workspaces').selectAll().execute()).toEqual([]);
  await fresh.remove();
});

async function openedPostgres(fresh: TestDatabase): Promise<PostgresDatabase> {
  const database = await fresh.open();
  if (database.engine !== 'postgres') throw new Error('not PostgreSQL');
  return database;
}
