import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { WITH_LATER } from '../../testing/later-migration.ts';
import { until } from '../../testing/until.ts';
import { withLongTimeout } from './batches.ts';
import { openPostgres } from './postgres.ts';
import { newUuid7 } from './uuid7.ts';

const LIMIT_MS = 100;

let fresh: TestDatabase;
let administrator: Client;

beforeEach(async () => {
  fresh = await freshDatabase('postgres');
  administrator = new Client({ connectionString: fresh.location.databaseUrl ?? '' });
  await administrator.connect();
});

afterEach(async () => {
  await administrator.end();
  await fresh.remove();
});

/** Sets a time limit for everything that is done in the database from now on, as `ALTER ROLE` does for a role. */
async function limit(setting: string): Promise<void> {
  const { rows } = await administrator.query<{ name: string }>('SELECT current_database() AS name');
  await administrator.query(`ALTER DATABASE ${rows[0]?.name ?? ''} SET ${setting} = ${LIMIT_MS}`);
}

test('long work outlasts the limits that an administrator set, in a transaction and outside of one', async () => {
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'])
    await limit(setting);
  const database = await fresh.open();
  const seconds = (2 * LIMIT_MS) / 1_000;
  await withLongTimeout(database, async (kysely) => {
    await sql`SELECT pg_sleep(${seconds})`.execute(kysely);
    await kysely.transaction().execute(async (transaction) => {
      await sql`SELECT pg_sleep(${seconds})`.execute(transaction);
      await sleep(2 * LIMIT_MS);
      await sql`SELECT 1`.execute(transaction);
    });
    await expect(sql`SELECT 1 / 0`.execute(kysely)).rejects.toThrow('division by zero');
    await sql`SELECT pg_sleep(${seconds})`.execute(kysely);
  });
});

test('a start makes the partition of a month however long that takes', async () => {
  await (await fresh.open()).close();
  const month = `decodes_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
  // Moving a row of the month out of the default partition takes longer than the limit.
  await administrator.query(`DROP TABLE ${month};
    INSERT INTO decodes (id, subject, vin, outcome, report, charged, created_at)
      VALUES ('${newUuid7(Date.now())}', 'workspace:w', '', '', '', 0, 0);
    CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(${(2 * LIMIT_MS) / 1_000}); RETURN OLD; END $$;
    CREATE TRIGGER takes_long BEFORE DELETE ON decodes_default FOR EACH ROW EXECUTE FUNCTION take_long()`);
  await limit('statement_timeout');
  const { kysely } = await fresh.open();
  const place = sql<string>`tableoid::regclass::text`.as('place');
  expect(await kysely.selectFrom('decodes').select(place).execute()).toEqual([{ place: month }]);
});

test('a start that PostgreSQL gives up says so, and not that it does not answer', async () => {
  await (await fresh.open()).close();
  await administrator.query(`CREATE FUNCTION give_up() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$;
    DROP TABLE decodes_${new Date().toISOString().slice(0, 7).replace('-', '_')};
    CREATE EVENT TRIGGER gives_up ON ddl_command_start EXECUTE FUNCTION give_up()`);
  await expect(fresh.open()).rejects.toThrow('it reports "canceling statement due to statement timeout"');
});

test('a statement that PostgreSQL gives up is named with its reason', async () => {
  await limit('lock_timeout');
  const database = await fresh.open();
  await administrator.query('BEGIN; LOCK TABLE settings');
  const reading = database.kysely.selectFrom('settings').selectAll().execute();
  await expect(reading).rejects.toThrow(
    'PostgreSQL could not do it: canceling statement due to lock timeout (SQLSTATE 55P03).',
  );
  await administrator.query('COMMIT');
});

test('a migration waits for a transaction that reads the table, names it, and lets others read meanwhile', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const running = await fresh.open();
  await administrator.query("SET application_name = 'a backup'");
  await administrator.query('BEGIN');
  await administrator.query('SELECT id FROM workspaces');
  const upgrade = openPostgres(fresh.location.databaseUrl ?? '', WITH_LATER);
  await until(async () => written.mock.calls.length > 0);
  expect(String(written.mock.calls[0]?.[0])).toMatch(/^Waiting to migrate the database .*\(a backup\)/);
  // Each of them waits half a second at most; without the limit it is given up after five.
  for (let count = 0; count < 5; count++) await running.kysely.selectFrom('workspaces').select('id').execute();
  await administrator.query('COMMIT');
  const upgraded = await upgrade;
  await sql`SELECT later_text FROM workspaces`.execute(upgraded.kysely);
  await upgraded.close();
  written.mockRestore();
});

test('of several programs that wait to migrate, one alone tries, and lets others work between its tries', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const running = await fresh.open();
  await administrator.query('BEGIN');
  await administrator.query('SELECT id FROM workspaces');
  const upgrades = Array.from({ length: 3 }, () => openPostgres(fresh.location.databaseUrl ?? '', WITH_LATER));
  const tries: number[] = [];
  let last: number | undefined;
  await until(async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_locks
      WHERE relation = 'workspaces'::regclass AND NOT granted`.execute(running.kysely);
    const [trying] = rows.map(({ pid }) => pid);
    if (trying !== undefined && trying !== last) tries.push(trying);
    last = trying;
    return tries.length === 2;
  });
  expect(tries[1]).toBe(tries[0]);
  // A program that has nothing to migrate starts meanwhile.
  await (await fresh.open()).close();
  await administrator.query('COMMIT');
  for (const upgraded of await Promise.all(upgrades)) await upgraded.close();
  written.mockRestore();
});

test('a migration waits for a vacuum as long as PostgreSQL needs to end it', async () => {
  const running = await fresh.open();
  await administrator.query('BEGIN; LOCK TABLE workspaces IN SHARE UPDATE EXCLUSIVE MODE');
  const upgrade = openPostgres(fresh.location.databaseUrl ?? '', WITH_LATER);
  // As PostgreSQL does with a vacuum of its own.
  const deadlock = sql`current_setting('deadlock_timeout')::interval`;
  await until(async () => {
    const waiting = sql`SELECT FROM pg_locks WHERE relation = 'workspaces'::regclass AND NOT granted
      AND waitstart < clock_timestamp() - ${deadlock}`.execute(running.kysely);
    return (await waiting).rows.length > 0;
  });
  await administrator.query('COMMIT');
  const upgraded = await upgrade;
  await expect(sql`SELECT later_text FROM workspaces`.execute(upgraded.kysely)).resolves.toBeDefined();
  await upgraded.close();
});
