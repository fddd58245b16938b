import { rmSync } from 'node:fs';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { definition } from '../../database.ts';
import { dataFolder } from '../../testing/data-folder.ts';
import { ENGINES, type Engine, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { WITH_LATER } from '../../testing/later-migration.ts';
import { verifyUsage } from '../../metering/index.ts';
import { type Definition, fingerprintOf, migrationsUpTo, versionAfter } from './migrate.ts';
import { FIRST_VERSION } from './table.ts';

import type { Database, DatabaseLocation } from './open.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const CURRENT = await definition();

const DAY = Date.UTC(2026, 4, 20);
const MONTH = Date.UTC(2026, 4, 1);

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let dataDir: string;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    dataDir = dataFolder();
  });

  afterEach(async () => {
    await fresh.remove();
    rmSync(dataDir, { recursive: true });
  });

  const open = ({ databaseUrl }: DatabaseLocation, wanted: Definition = CURRENT): Promise<Database> =>
    databaseUrl === undefined ? openSqlite(dataDir, 'tool', wanted.migrations) : openPostgres(databaseUrl, wanted);

  /** Returns a database without a table yet. */
  async function emptyDatabase(): Promise<DatabaseLocation> {
    const database = await fresh.open();
    if (database.engine === 'sqlite') return { dataDir, databaseUrl: undefined };
    // oxlint-disable-next-line no-restricted-properties -- an address, not a file
    const name = `${new URL(database.url).pathname.slice(1)}_empty`;
    await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    return { dataDir, databaseUrl: Object.assign(new URL(database.url), { pathname: `/${name}` }).href };
  }

  test.each(CURRENT.migrations.map(({ name }, index) => ({ name, version: FIRST_VERSION + index })))(
    'a newer program brings a database of version $version ($name) to its own, with all that it holds',
    async ({ version }) => {
      const location = await emptyDatabase();
      const old = await open(location, {
        ...CURRENT,
        migrations: migrationsUpTo(CURRENT.migrations, version),
      });
      await fill(old);
      await old.close();

      const upgraded = await open(location, WITH_LATER);
      try {
        const versions = await sql<{ version: number }>`SELECT max(version) AS version FROM schema_versions`.execute(
          upgraded.kysely,
        );
        expect(versions.rows).toEqual([{ version: versionAfter(WITH_LATER.migrations) }]);
        expect((await sql`SELECT later_text FROM workspaces`.execute(upgraded.kysely)).rows).toEqual([
          { later_text: null },
        ]);
        expect(await verifyUsage(upgraded)).toEqual({ counters: 1, decodes: 2, disagreements: [] });
        const keys = await upgraded.kysely.selectFrom('api_keys').select(['id', 'hash', 'revoked_at']).execute();
        expect(keys).toEqual([{ id: 'key', hash: 'ab', revoked_at: null }]);
      } finally {
        await upgraded.close();
      }
    },
  );

  test('a report that tells the serial number of a masked VIN loses it', async () => {
    const location = await emptyDatabase();
    const old = await open(location, { ...CURRENT, migrations: migrationsUpTo(CURRENT.migrations, 103) });
    await fill(old);
    const [first = '', second = ''] = (await old.kysely.selectFrom('decodes').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
    const vin = '1HGCM826*3A******';
    const masked = JSON.stringify({ manufacturer: 'Honda', vin, vis: '3A******' });
    const told = JSON.stringify({ manufacturer: 'Honda', vin: '1HGCM826*3A004352', vis: '3A004352' });
    await old.kysely.updateTable('decodes').set({ vin, report: masked }).where('id', '=', first).execute();
    await old.kysely.updateTable('decodes').set({ vin, report: told }).where('id', '=', second).execute();
    await old.close();
    const upgraded = await open(location);
    const reports = await upgraded.kysely.selectFrom('decodes').select('report').orderBy('id').execute();
    await upgraded.close();
    expect(reports).toEqual([{ report: masked }, { report: JSON.stringify({ vin }) }]);
  });

  test('a report about a partial VIN loses the serial number that was typed, in its note and hash, too', async () => {
    const location = await emptyDatabase();
    const old = await open(location, { ...CURRENT, migrations: migrationsUpTo(CURRENT.migrations, 104) });
    const fields = { expectedManufacturer: '', expectedModel: 'expectedModel', expectedBodyStyle: '' };
    const claimed = (vin: string, note: string) => ({ vin, ...fields, expectedModelYear: '', note });
    const further = (vin: string, expectedFields: object) => {
      const { note: _note, ...claim } = claimed(vin, '');
      return { ...claim, expectedFields, note: '"\\' };
    };
    const rows: [string, object, string?][] = [
      ['a', claimed('1HGCM82633AOO4352', 'A "note" on 1HGCM82633AOO4352.')],
      ['b', { expectedFields: { trim: '"vin":"' }, ...claimed('1HGCM82633AOO4352', '') }, 'a'],
      ['c', claimed('expectedModel', 'no "VIN"')],
      ['d', claimed('1HGCM82\n633A004352', 'On 1HGCM82\n633A004352.')],
      ['e', further('1HGCM82633A', { trim: 'EX' })],
      ['f', further('1HGCM82633AOO4352', { trim: '1HGCM82633AOO4352' })],
    ];
    for (const [id, claim, first = null] of rows) {
      const report = { claim: JSON.stringify(claim), claim_hash: `hash ${first ?? id}`, duplicate_of: first };
      const common = { source: 'public', subject: 'public:x', state: 'queued', created_at: DAY } as const;
      const values = { id, vin: null, actual_report: '{}', ...report, ...common };
      await old.kysely.insertInto('correction_reports').values(values).execute();
    }
    await old.close();
    const upgraded = await open(location);
    const stored = await upgraded.kysely.selectFrom('correction_reports').selectAll().orderBy('id').execute();
    await upgraded.close();
    expect(stored.map(({ claim, claim_hash: hash }) => [JSON.parse(claim), hash])).toEqual([
      [claimed('1HGCM82633A******', 'A "note" on 1HGCM82633A******.'), 'masked:a'],
      [claimed('1HGCM82633A******', ''), 'masked:a'],
      [claimed('expectedMod******', 'no "VIN"'), 'masked:c'],
      [claimed('******', ''), 'masked:d'],
      [further('1HGCM82633A', { trim: 'EX' }), 'hash e'],
      [claimed('1HGCM82633A******', '"\\'), 'masked:f'],
    ]);
    expect(stored.map(({ actual_report: report }) => report)).toEqual([null, null, null, null, '{}', null]);
  });

  test('a database on which the first forms of two steps ran is completed', async () => {
    const location = await emptyDatabase();
    const old = await open(location, { ...CURRENT, migrations: migrationsUpTo(CURRENT.migrations, 107) });
    for (const [version, place] of [
      [105, engine === 'sqlite' ? 0 : 1],
      [107, 0],
    ] as const) {
      const first = CURRENT.migrations[version - FIRST_VERSION]?.earlier?.[place];
      await sql`UPDATE schema_versions SET fingerprint = ${first} WHERE version = ${version}`.execute(old.kysely);
    }
    await sql`DROP INDEX correction_reports_queued`.execute(old.kysely);
    const common = { source: 'public', subject: 'public:x', state: 'queued', created_at: DAY } as const;
    const garbage = { id: 'a', vin: null, claim: '{"vin":"1HGCM82633A004', claim_hash: 'masked:a', ...common };
    await old.kysely.insertInto('correction_reports').values(garbage).execute();
    await old.close();
    const upgraded = await open(location);
    const [report] = await upgraded.kysely.selectFrom('correction_reports').select('claim').execute();
    await expect(sql`DROP INDEX correction_reports_queued`.execute(upgraded.kysely)).resolves.toBeDefined();
    await upgraded.close();
    // PostgreSQL refused such reports.
    if (engine === 'postgres') return;
    expect(report?.claim).not.toContain('1HGCM');
    expect(JSON.parse(report?.claim ?? '')).toMatchObject({ vin: '******', note: '' });
  });

  test('of equal reports the first alone keeps its long texts', async () => {
    const location = await emptyDatabase();
    const old = await open(location, { ...CURRENT, migrations: migrationsUpTo(CURRENT.migrations, 106) });
    const common = { claim: '{}', claim_hash: 'equal', vin: null, actual_report: '{}', answered: '{}' };
    const sent = { source: 'public', subject: 'public:x', state: 'queued', created_at: DAY } as const;
    for (const [id, first] of [['a'], ['b', 'a'], ['c']] as const) {
      const values = { id, ...common, ...sent, duplicate_of: first ?? null };
      await old.kysely.insertInto('correction_reports').values(values).execute();
    }
    await old.close();
    const upgraded = await open(location);
    const stored = upgraded.kysely.selectFrom('correction_reports').select(['id', 'actual_report', 'answered']);
    expect(await stored.orderBy('id').execute()).toEqual([
      { id: 'a', actual_report: '{}', answered: '{}' },
      { id: 'b', actual_report: null, answered: null },
      { id: 'c', actual_report: '{}', answered: '{}' },
    ]);
    await upgraded.close();
  });

  test('this program refuses the database of a newer one and changes nothing in it', async () => {
    const location = await emptyDatabase();
    const newer = await open(location, WITH_LATER);
    await fill(newer);
    const before = await schemaOf(newer);
    await expect(open(location)).rejects.toThrow(/Start the newer program/);
    expect(await schemaOf(newer)).toEqual(before);
    await newer.close();
  });

  test('a migration that fails leaves the database as it was', async () => {
    const location = await emptyDatabase();
    const old = await open(location);
    await fill(old);
    const before = await schemaOf(old);
    const broken = 'CREATE TABLE half (id INTEGER PRIMARY KEY); SELECT no_such_column FROM half;';
    const migrations = [...CURRENT.migrations, { name: 'broken', sqlite: broken, postgres: broken }];
    await expect(open(location, { ...CURRENT, migrations })).rejects.toThrow(/no_such_column/);
    expect(await schemaOf(old)).toEqual(before);
    await old.close();
  });
});

test('on PostgreSQL, each migration is committed before the next one begins, and a later start goes on from there', async () => {
  const fresh = await freshDatabase('postgres');
  const database = await fresh.open();
  const { url } = { url: '', ...database };
  const broken = { name: 'broken', sqlite: '', postgres: 'SELECT no_such_column FROM later;' };
  const half = { ...WITH_LATER, migrations: [...WITH_LATER.migrations, broken] };
  await expect(openPostgres(url, half)).rejects.toThrow(/no_such_column/);
  const later = async () => (await sql`SELECT later_text FROM workspaces`.execute(database.kysely)).rows;
  expect(await later()).toEqual([]);
  await (await openPostgres(url, WITH_LATER)).close();
  expect(await later()).toEqual([]);
  await fresh.remove();
});

test('a migration is the same however its source is laid out, and another when a statement differs', () => {
  const known = 'CREATE TABLE a (id integer PRIMARY KEY, name text NOT NULL);\n  CREATE INDEX a_name ON a (name);';
  const same = fingerprintOf(known);
  expect(fingerprintOf(known.replaceAll(/\s+/g, '\n\t').replaceAll('(', '( '))).toBe(same);
  for (const [from, to] of [
    ['name text', 'name bigint'],
    ['a_name', 'aname'],
    [' NOT NULL', ''],
  ] as const) {
    expect(fingerprintOf(known.replace(from, to))).not.toBe(same);
  }
});

/** Inserts rows that every version has: a workspace, a key, and two charged decodes. */
async function fill({ kysely }: Database): Promise<void> {
  const workspace = { id: 'workspace', slug: 'acme', plan: 'free', limit_mode: 'plan', created_at: DAY } as const;
  await kysely.insertInto('workspaces').values(workspace).execute();
  const key = { id: 'key', workspace_id: 'workspace', name: 'main', hash: 'ab', prefix: 'mq', last4: 'last' };
  await kysely
    .insertInto('api_keys')
    .values({ ...key, created_at: DAY })
    .execute();
  const decode = { subject: 'workspace:workspace', key_id: 'key', outcome: 'identified', report: '{}', charged: 1 };
  for (const id of ['0196ed1e-0000-7000-8000-000000000001', '0196ed1e-0000-7000-8000-000000000002']) {
    await kysely
      .insertInto('decodes')
      .values({ ...decode, id, vin: '1HGCM82633A004352', created_at: DAY })
      .execute();
  }
  const counted = { subject: decode.subject, window_start: MONTH };
  await kysely
    .insertInto('usage_counters')
    .values({ ...counted, used: 2 })
    .execute();
  await kysely
    .insertInto('usage_ledger')
    .values({ ...counted, day_start: DAY, key_id: 'key', charged: 2 })
    .execute();
}

/** Returns every column of every table, by name. */
async function schemaOf({ engine, kysely }: Database): Promise<unknown> {
  const query: Record<Engine, ReturnType<typeof sql>> = {
    sqlite: sql`SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name`,
    postgres: sql`SELECT table_name, column_name, data_type, is_nullable, column_default
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`,
  };
  return (await query[engine].execute(kysely)).rows;
}
