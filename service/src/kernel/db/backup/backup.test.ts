import { execFileSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createKey,
  createWorkspace,
  listAllKeys,
  listWorkspaces,
  rotateKey,
  systemRandom,
} from '../../../workspaces/index.ts';
import { ENGINES, freshDatabase, type Engine, type TestDatabase } from '../../../testing/databases.ts';
import { chargeOne, decodeAt, expectCounted, subscriber } from '../../../metering/testing/usage.ts';
import { endpointAt, emitEvent } from '../../../webhooks/testing/webhooks.ts';
import { openMeter, verifyUsage } from '../../../metering/index.ts';
import { definition, restoreDatabase } from '../../../database.ts';
import { backupDatabase, UnusableDatabaseError, restoreDatabase as restoreWith, type Database } from '../index.ts';
import { WITH_LATER } from '../../../testing/later-migration.ts';
import { lineText } from './format.ts';
import { openSqlite } from '../sqlite.ts';
import { OperatorError } from '../../operator-error.ts';

const noon = Date.UTC(2026, 4, 20, 12);
const clock = (): number => noon;

const partial = (name: string) => `${name}.01234567-89ab-cdef-0123-456789abcdef.partial`;

describe.each(ENGINES.flatMap((from) => ENGINES.map((to) => ({ from, to }))))('from $from to $to', ({ from, to }) => {
  let source: TestDatabase;
  let target: TestDatabase;
  let folder: string;
  let file: string;

  beforeEach(async () => {
    [source, target] = [await freshDatabase(from), await freshDatabase(to)];
    folder = mkdtempSync(join(tmpdir(), 'marque-backup-'));
    file = join(folder, 'backup.gz');
  });

  afterEach(async () => {
    await source.remove();
    await target.remove();
    rmSync(folder, { recursive: true });
  });

  test('a backup is a new file that only its owner reads, and a link in its place is not followed', async () => {
    const database = await source.open();
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'mine', { mode: 0o644 });
    symlinkSync(elsewhere, file);
    await backupDatabase(database, file, noon);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    expect(lstatSync(file).isFile()).toBe(true);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['backup.gz', 'elsewhere']);
  });

  test('what a killed backup to the same file left a day ago is removed, and nothing else', async () => {
    const database = await source.open();
    const [old, other, fresh] = [partial(file), partial(join(folder, 'other.gz')), partial(`${file}.new`)];
    for (const name of [old, other]) {
      writeFileSync(name, '');
      utimesSync(name, 0, 0);
    }
    writeFileSync(fresh, '');
    await backupDatabase(database, file, noon);
    expect([old, other, fresh].map((name) => existsSync(name))).toEqual([false, true, true]);
  });

  test('of two backups to one file at once, each is whole when it says so', async () => {
    const database = await source.open();
    const handle = await open(folder);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // Stands before its renaming until the other one has ended.
    const synced = vi.spyOn<FileHandle, 'sync'>(Object.getPrototypeOf(handle), 'sync').mockImplementationOnce(() => {
      begun.resolve();
      return goOn.promise;
    });
    await handle.close();
    const first = backupDatabase(database, file, noon);
    await begun.promise;
    await backupDatabase(database, file, noon);
    goOn.resolve();
    await first;
    synced.mockRestore();
    expect((await restoreDatabase(target.location, file)).createdAtMs).toBe(noon);
    expect(readdirSync(folder)).toEqual(['backup.gz']);
  });

  test('a backup is there under its name when it says so: its folder is on the disk, too', async () => {
    const database = await source.open();
    const handle = await open(folder);
    const synced = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
    await backupDatabase(database, file, noon);
    await handle.close();
    // The file, and after its renaming the folder.
    expect(synced).toHaveBeenCalledTimes(2);
    synced.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('EACCES'));
    expect(await backupDatabase(database, file, noon)).toMatchObject({ tables: expect.any(Number) });
    synced.mockRestore();
  });

  test('a backup replaces no folder, no device, and not the database itself', async () => {
    const database = await source.open();
    const own = database.engine === 'sqlite' ? [database.file, `${database.file}-wal`] : [];
    const device = join(folder, 'device');
    symlinkSync('/dev/null', device);
    const before = own.map((name) => lstatSync(name).ino);
    for (const name of [folder, device, '-', ...own]) {
      await expect(backupDatabase(database, name, noon)).rejects.toThrow(OperatorError);
    }
    expect(lstatSync(device).isSymbolicLink()).toBe(true);
    expect(own.map((name) => lstatSync(name).ino)).toEqual(before);
  });

  test('a backup that cannot be written is refused in a sentence', async () => {
    const database = await source.open();
    writeFileSync(join(folder, 'file'), '');
    for (const [parent, code] of [
      ['missing', 'ENOENT'],
      ['file', 'ENOTDIR'],
    ] as const) {
      await expect(backupDatabase(database, join(folder, parent, 'backup.gz'), noon)).rejects.toThrow(
        `backup.gz cannot be written: name a file in a folder that this user can write to (${code}).`,
      );
    }
  });

  test('a backup made under load is one moment, whole and consistent, and restores into an empty database', async () => {
    const database = await source.open();
    const deps = { database, clock, random: systemRandom };
    const created = await createWorkspace(deps, { slug: 'acme', plan: 'free', limit: { kind: 'none' } }, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    const key = await createKey(deps, { workspaceId: created.workspace.id, name: 'clé "1"\n' }, 'cli:test');
    await rotateKey(deps, key.id, 'cli:test');
    await endpointAt(database, created.workspace.id, 'https://example.com/hook');
    await emitEvent(database, created.workspace.id, 1, noon);
    const meter = openMeter(database, clock);
    await chargeOne(meter, subscriber('w', null), decodeAt(noon));
    const stop = new AbortController();
    const load = async (): Promise<void> => {
      while (!stop.signal.aborted) await chargeOne(meter, subscriber('w', null), decodeAt(noon));
    };
    const loads = [load(), load(), load()];
    const { rows } = await backupDatabase(database, file, noon);
    stop.abort();
    await Promise.all(loads);
    await meter.close();

    expect(await restoreDatabase(target.location, file)).toMatchObject({ rows });
    const restored = await target.open();
    expect((await verifyUsage(restored)).disagreements).toEqual([]);
    expect(await listAllKeys(restored)).toEqual(await listAllKeys(database));
    const [endpoint] = await database.kysely.selectFrom('webhook_endpoints').selectAll().execute();
    expect(await restored.kysely.selectFrom('webhook_endpoints').selectAll().execute()).toEqual([endpoint]);
    const deliveries = await restored.kysely.selectFrom('webhook_deliveries').selectAll().execute();
    expect(deliveries).toMatchObject([{ state: 'pending', run_at: noon, endpoint_id: endpoint?.id }]);
    const counter = await restored.kysely.selectFrom('usage_counters').select('used').executeTakeFirstOrThrow();
    expect(counter.used).toBeGreaterThan(0);
    await expectCounted(restored, 'w', counter.used);
    await expectWorking(restored, counter.used);
  });

  test('decodes of past months come into the partitions of these, and none into the default one', async () => {
    const database = await source.open();
    const meter = openMeter(database, clock);
    const february = Date.UTC(2026, 1, 28, 23);
    for (const atMs of [february, noon]) await chargeOne(meter, subscriber('w', null), decodeAt(atMs));
    await meter.close();
    await backupDatabase(database, file, noon);
    await restoreDatabase(target.location, file);
    const { kysely } = await target.open();
    const place = to === 'postgres' ? sql<string>`tableoid::regclass::text` : sql<string>`'decodes'`;
    const decodes = await kysely.selectFrom('decodes').select(place.as('table')).orderBy('id').execute();
    expect(decodes.map(({ table }) => table)).toEqual(
      to === 'postgres' ? ['decodes_2026_02', 'decodes_2026_05'] : ['decodes', 'decodes'],
    );
  });
});

async function expectWorking(database: Database, used: number): Promise<void> {
  const meter = openMeter(database, clock);
  await chargeOne(meter, subscriber('w', null), decodeAt(noon));
  await meter.close();
  await expectCounted(database, 'w', used + 1);
}

/** Writes a gzip of a beginning and 1 GB of zeros: a megabyte on disk, more than a JavaScript string may contain. */
async function writeZeros(file: string, beginning: string): Promise<void> {
  const zeros = Buffer.alloc(1_000_000);
  const chunks = Array.from({ length: 1_000 }, () => zeros);
  await pipeline(Readable.from([Buffer.from(beginning), ...chunks]), createGzip({ level: 1 }), createWriteStream(file));
}

describe.each(ENGINES)('on %s', (engine: Engine) => {
  let fresh: TestDatabase;
  let folder: string;
  let file: string;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    folder = mkdtempSync(join(tmpdir(), 'marque-backup-'));
    file = join(folder, 'backup.gz');
  });

  afterEach(async () => {
    await fresh.remove();
    rmSync(folder, { recursive: true });
  });

  test('nothing is restored over an existing database', async () => {
    const database = await fresh.open();
    await createWorkspace({ database, clock }, { slug: 'acme', plan: 'free' }, 'cli:test');
    await backupDatabase(database, file, noon);
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/not empty/);
  });

  test('a cut-off backup is refused before anything is touched, and so is another file', async () => {
    const database = await fresh.open();
    await backupDatabase(database, file, noon);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length - 20));
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/backup|cut off/);
    writeFileSync(file, 'something else');
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/cannot be read as a backup/);
    await expect(restoreDatabase(fresh.location, join(folder, 'missing'))).rejects.toThrow(
      /cannot be read as a backup/,
    );
  });

  test('a file that unpacks to gigabytes of nothing is refused, at its beginning or after it', async () => {
    await writeZeros(file, '');
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/cannot be read as a backup: a line is longer/);
    const header = lineText({ kind: 'header', format: 1, version: 1, engine, createdAtMs: noon });
    await writeZeros(file, header);
    const before = process.memoryUsage().rss;
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/cannot be read as a backup: a line is longer/);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });

  test('a backup with a row that refers to a missing one is refused in a sentence, and leaves nothing behind', async () => {
    const whole = await fresh.open();
    await createWorkspace({ database: whole, clock }, { slug: 'acme', plan: 'free' }, 'cli:test');
    const id = (await listWorkspaces(whole))[0]?.id ?? '';
    const key = { id: 'k', workspace_id: id, name: 'n', prefix: 'p', last4: 'last', hash: 'h', created_at: 0 };
    await whole.kysely.insertInto('api_keys').values(key).execute();
    await backupDatabase(whole, file, noon);
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    const changed = lines.map((line) => (line.includes('"acme"') ? line.replace(id, 'other') : line)).join('\n');
    writeFileSync(file, gzipSync(changed));
    await fresh.remove();
    fresh = await freshDatabase(engine);
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow('is not a whole backup');
    expect(await listWorkspaces(await fresh.open())).toEqual([]);
  });

  test('a backup with a line that is not a backup record is refused, and leaves nothing behind', async () => {
    const header = lineText({ kind: 'header', format: 1, version: 1, engine, createdAtMs: noon });
    const noTable = lineText({ kind: 'row', values: ['x'] });
    const badTable = lineText({ kind: 'table', table: 'nobody"s', columns: ['a'] });
    for (const lines of [[noTable], ['null\n'], ['{"kind":"row"}\n'], ['[1\n'], [header, badTable, noTable]]) {
      writeFileSync(file, gzipSync(`${header}${lines.join('')}${lineText({ kind: 'end', rows: 1 })}`));
      await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(UnusableDatabaseError);
    }
    expect(await listWorkspaces(await fresh.open())).toEqual([]);
  });

  test('a backup of another format, one with lines after its end, and a pipe are refused before anything is touched', async () => {
    await backupDatabase(await fresh.open(), file, noon);
    const whole = gunzipSync(readFileSync(file)).toString();
    const end = whole.trimEnd().split('\n').at(-1);
    for (const [changed, reason] of [
      [whole.replace('"format":1', '"format":2'), /its format is 2, .* restore it with the program that wrote it/],
      [whole.replace(/"version":\d+/, '"version":"x"'), /it names no version/],
      [whole.replace(/"version":\d+/, '"version":-1'), /it names no version/],
      [whole.replace(/"engine":"\w+"/, '"engine":"mysql"'), /it names no database engine/],
      [whole.replace(/"createdAtMs":\d+/, '"createdAtMs":"x"'), /it does not say when it was written/],
      [whole.replace(/"columns":\[[^\]]*\]/, '"columns":null'), /a line is not a backup record/],
      [whole.replace('\n[', '\n[{},'), /a row has a value that is neither text nor number/],
      [whole.replace('\n[', '\n[['), /a line is not JSON/],
      [`${whole}["row"]\n${end}\n`, /it has lines after its end: restore another backup/],
    ] as const) {
      writeFileSync(file, gzipSync(changed));
      await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(reason);
    }
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(restoreDatabase(fresh.location, pipe)).rejects.toThrow(/is not a file/);
    expect(await listWorkspaces(await fresh.open())).toEqual([]);
  });

  test('a backup that lacks a table of its version is refused, and leaves nothing behind', async () => {
    const whole = await fresh.open();
    await createWorkspace({ database: whole, clock }, { slug: 'acme', plan: 'free' }, 'cli:test');
    await backupDatabase(whole, file, noon);
    const text = gunzipSync(readFileSync(file)).toString();
    const [log = '', rows = ''] = /\{"kind":"table","table":"audit_log".*\n((?:\[.*\n)*)/.exec(text) ?? [];
    const left = Number(/"rows":(\d+)\}\n$/.exec(text)?.[1]) - rows.split('\n').length + 1;
    writeFileSync(file, gzipSync(text.replace(log, '').replace(/"rows":\d+\}\n$/, `"rows":${left}}\n`)));
    await fresh.remove();
    fresh = await freshDatabase(engine);
    await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(
      /is not a whole backup: the table audit_log is missing/,
    );
    expect(await listWorkspaces(await fresh.open())).toEqual([]);
  });
});

test('nothing is restored under a running service', async () => {
  const fresh = await freshDatabase('sqlite');
  const file = join(fresh.location.dataDir, 'backup.gz');
  const database = await fresh.open('service');
  await backupDatabase(database, file, noon);
  await expect(restoreDatabase(fresh.location, file)).rejects.toThrow(/Another service is running/);
  await fresh.remove();
});

test('a backup of an older version is restored and brought up to date', async () => {
  const fresh = await freshDatabase('sqlite');
  const file = join(fresh.location.dataDir, 'backup.gz');
  const old = await openSqlite(join(fresh.location.dataDir, 'old'), 'tool', (await definition()).migrations);
  await createWorkspace({ database: old, clock }, { slug: 'acme', plan: 'free' }, 'cli:test');
  await backupDatabase(old, file, noon);
  await old.close();
  await restoreWith(fresh.location, file, WITH_LATER);
  await expect(restoreWith(fresh.location, file, WITH_LATER)).rejects.toThrow(/^The database is not empty/);
  const restored = await openSqlite(fresh.location.dataDir, 'tool', WITH_LATER.migrations);
  expect(await listWorkspaces(restored)).toMatchObject([{ slug: 'acme' }]);
  const tables = await restored.kysely.introspection.getTables();
  expect(tables.map(({ name }) => name)).toContain('later');
  await restored.close();
  await fresh.remove();
});
