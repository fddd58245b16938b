import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { SERVICE_VERSION } from '../kernel/version.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { ioWith } from '../testing/io.ts';
import { type CommandResult, runMarque, runMarqueJson } from '../testing/run-marque.ts';
import { testService } from '../testing/service.ts';
import { runCli } from './program.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = dataFolder();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

const marque = (line: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
  runMarque(line, { DATA_DIR: dataDir, ...env });

const marqueJson = (line: string): Promise<Record<string, unknown>> => runMarqueJson(line, { DATA_DIR: dataDir });

describe('db', () => {
  test('migrate and verify work beside a running service', async () => {
    await using service = await testService({ DATA_DIR: dataDir });
    expect(await marqueJson('db migrate')).toEqual({ engine: 'sqlite', upToDate: true });
    await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: '1HGCM82633A004352' } });
    expect(await marqueJson('db verify')).toEqual({
      migrations: [
        'start',
        'file-readings',
        'request-minutes',
        'enrichment-asks',
        'serials-of-masked-vins',
        'serials-in-reports',
        'equal-reports',
        'texts-of-equal-reports',
        'decided-reports',
        'mended-steps',
        'lines-of-pages',
        'many-keys',
      ].map((name, index) => ({
        version: 100 + index,
        name,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        program: SERVICE_VERSION,
      })),
      counters: 1,
      decodes: 1,
      disagreements: [],
    });
    await service.database.kysely.updateTable('usage_counters').set({ used: 7 }).execute();
    expect(await marque('db verify')).toMatchObject({ status: 1, out: expect.stringContaining('counter 7, ledger 1') });
    await sql`UPDATE schema_versions SET fingerprint = 'ab'`.execute(service.database.kysely);
    const differs = { status: 1, out: '', err: expect.stringMatching(/^The tables of the database are not those/) };
    for (const command of ['db verify', 'db migrate']) expect(await marque(command)).toMatchObject(differs);
  });

  test('restore puts the backup of a running service into an empty folder, and into no other', async () => {
    await using service = await testService({ DATA_DIR: dataDir });
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/decode',
      payload: { vin: '1HGCM82633A004352' },
    });
    expect(answer.statusCode).toBe(200);
    const file = join(dataDir, 'backup.gz');
    const { rows } = await marqueJson(`db backup ${file}`);
    const elsewhere = { DATA_DIR: join(dataDir, 'elsewhere') };
    const restored = await marque(`db restore ${file}`, elsewhere);
    expect(restored).toMatchObject({ status: 0, out: expect.stringContaining(`Restored ${String(rows)} rows`) });
    expect(restored.out).toMatch(/Everything is as it was at 20\d\d-.*: keys that were revoked/);
    expect(await marque('db verify', elsewhere)).toMatchObject({ status: 0, out: expect.stringContaining('0 differ') });
    expect(await marque(`db restore ${file}`, elsewhere)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/not empty/),
    });
  });
});

describe('admin', () => {
  test('create makes an administrator and prints a link to choose a password', async () => {
    const made = await marqueJson('admin create --email Root@Example.com');
    expect(made).toMatchObject({ email: 'root@example.com', created: true, isNew: true });
    expect(made['link']).toMatch(/^http:\/\/127\.0\.0\.1:8080\/reset\/\w{20,}$/);
    const again = await marque('admin create --email root@example.com');
    expect(again.err).toContain('its password no longer works');
    expect(await marqueJson('admin create --email root@example.com')).toMatchObject({
      created: false,
      isNew: false,
      sessionsEnded: 0,
    });
  });

  test('create refuses a text that is not an address', async () => {
    expect(await marque('admin create --email root')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/not an e-mail/),
    });
  });
});

describe('config', () => {
  test('names the setting that a misspelled variable was meant to be', async () => {
    const { status, err } = await marque('config', { TRUSTPROXY: 'loopback' });
    expect([status, err]).toEqual([0, expect.stringContaining('Set TRUST_PROXY if that was meant.')]);
  });

  test('prints every setting, and masks passwords', async () => {
    const { status, out } = await marque('config', { DATABASE_URL: 'postgres://marque:hunter2@db/marque' });
    expect(status).toBe(0);
    expect(out).toContain('postgres://marque:***@db/marque');
    expect(out).toMatch(/^PORT +8080 +default/m);
  });

  test('with a wrong value prints the fault and fails', async () => {
    const { status, err } = await marque('config --json', { PORT: 'x' });
    expect(status).toBe(1);
    expect(err).toContain('PORT must be a whole number');
  });
});

describe('wrong usage', () => {
  test.each([
    'nonsense',
    'workspace create',
    'workspace create acme --plan gold',
    'workspace create acme --monthly-limit many',
    'key create --workspace acme',
    'key revoke',
    'config --what',
  ])('marque %s: exit status 2 and a hint', async (line) => {
    const { status, err } = await marque(line);
    expect(status).toBe(2);
    expect(err).toContain('--help');
  });

  test('a faulty setting stops a command before it touches anything', async () => {
    expect(await marque('workspace list', { LOG_LEVEL: 'loud' })).toMatchObject({
      status: 1,
      err: expect.stringMatching(/LOG_LEVEL must be/),
    });
  });
});

test('catalog import reports the faults of a file, and leaves the catalog that is in use', async () => {
  const file = join(dataDir, 'dump.sql');
  const catalog = join(dataDir, 'marque.catalog');
  writeFileSync(file, '--\n-- PostgreSQL database dump\n--\nCOPY vpic.pattern (id) FROM stdin;\n');
  writeFileSync(catalog, 'in use');
  const { status, err } = await marque(`catalog import vpic ${file}`, { CATALOG_FILE: catalog });
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/^This dump's table pattern has no column/),
  });
  expect(await marque(`catalog build --vpic ${file}`, { CATALOG_FILE: catalog })).toEqual({ status, out: '', err });
  expect(readFileSync(catalog, 'utf8')).toBe('in use');
  const table = join(dataDir, 'table.txt');
  writeFileSync(table, 'Kenteken,Merk\n');
  expect(await marque(`catalog import astra ${table}`, { CATALOG_FILE: catalog })).toMatchObject({
    status: 1,
    err: expect.stringMatching(/is no astra table: it lacks the columns Typengenehmigungsnummer, .*, 28 Leistung kW\./),
  });
  expect(readFileSync(catalog, 'utf8')).toBe('in use');
  expect(await marque('catalog import other file')).toMatchObject({ status: 2 });
  expect(await marque('catalog import vpic one two')).toMatchObject({ status: 2 });
});

test('catalog build writes to CATALOG_FILE: while another import does, it is refused', async () => {
  const catalog = join(dataDir, 'marque.catalog');
  writeFileSync(catalog, 'in use');
  const other = new Sqlite(`${catalog}.lock`);
  other.exec('BEGIN EXCLUSIVE');
  const env = { CATALOG_FILE: catalog };
  const refused = { status: 1, out: '', err: expect.stringContaining('of the catalog is under way') };
  expect([await marque('catalog build', env), await marque('catalog remove vpic', env)]).toEqual([refused, refused]);
  const link = join(dataDir, 'link.catalog');
  symlinkSync(catalog, link);
  expect(await marque('catalog build', { CATALOG_FILE: link })).toEqual(refused);
  other.close();
  const loop = join(dataDir, 'loop.catalog');
  symlinkSync(loop, loop);
  for (const [file, said] of [
    [loop, 'cannot be replaced: ELOOP'],
    [join(catalog, 'below', 'a-file.catalog'), 'Run this as a user who may write there'],
  ] as const) {
    const { status, out, err } = await marque('catalog build', { CATALOG_FILE: file });
    expect([status, out, err.split('\n').length, err]).toEqual([1, '', 2, expect.stringContaining(said)]);
  }
  for (const command of ['catalog build', 'catalog remove vpic']) {
    expect(await marque(command, { CATALOG_FILE: dataDir })).toEqual({
      status: 1,
      out: '',
      err: expect.stringContaining('is not a file. Set CATALOG_FILE to the path of a catalog.'),
    });
  }
});

test('--version prints the version of the package', async () => {
  expect(await marque('--version')).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test('a table of settings fits the terminal', async () => {
  const io = ioWith('', { DATA_DIR: '/var/lib/marque' });
  const stdout = Object.assign(io.stdout, { isTTY: true, columns: 100 });
  expect(await runCli(['config'], { ...io, stdout })).toBe(0);
  const lines = io.stdout.text.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});

test.each([
  '',
  'workspace',
  'workspace create',
  'key',
  'key create',
  'config',
  'serve',
  'decode',
  'catalog',
  'catalog import',
  'catalog info',
  'db',
  'db backup',
  'db restore',
  'db verify',
])('marque %s --help explains, within the width of the terminal', async (command) => {
  const { status, out } = await marque(`${command} --help`.trim());
  expect(status).toBe(0);
  expect(out).toMatch(/^Usage: marque[^]*\nExit status: 0 success/);
});
