import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { SERVICE_VERSION } from '../kernel/version.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { ioWith } from '../testing/io.ts';
import { testService } from '../testing/service.ts';
import { findWorkspace } from '../workspaces/index.ts';
import { closeWorkspace } from '../workspaces/membership.ts';
import { runCli } from './program.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = dataFolder();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

async function marque(line: string, env: NodeJS.ProcessEnv = {}) {
  const io = ioWith('', { DATA_DIR: dataDir, ...env });
  const status = await runCli(line.split(' '), io);
  await Promise.all([io.stdout, io.stderr].map((output) => finished(output.end())));
  return { status, out: io.stdout.text, err: io.stderr.text };
}

async function marqueJson(line: string): Promise<Record<string, unknown>> {
  const { status, out, err } = await marque(`${line} --json`);
  expect(err).toBe('');
  expect(status).toBe(0);
  const value: Record<string, unknown> = JSON.parse(out);
  return value;
}

describe('workspace', () => {
  test('create makes one with the limit of its plan, or its own, or none', async () => {
    expect(await marqueJson('workspace create acme --plan business')).toMatchObject({
      slug: 'acme',
      plan: 'business',
      monthlyLimit: 5000,
      limitFrom: 'plan',
    });
    expect(await marqueJson('workspace create own --plan free --monthly-limit 7')).toMatchObject({ monthlyLimit: 7 });
    expect(await marqueJson('workspace create free --plan free --monthly-limit none')).toMatchObject({
      monthlyLimit: null,
      limitFrom: 'workspace',
    });
    const { out } = await marque('workspace list');
    expect(out).toMatch(/^acme +business +5000 /m);
    expect(out).toMatch(/^free +free +none /m);
  });

  test('create refuses a taken or ill-formed name', async () => {
    await marque('workspace create acme --plan free');
    expect(await marque('workspace create acme --plan free')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/already/),
    });
    expect(await marque('workspace create Ac_me --plan free')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/lowercase letters/),
    });
  });

  test('set-plan changes the plan, and reports an unknown workspace', async () => {
    await marque('workspace create acme --plan free');
    expect(await marqueJson('workspace set-plan acme --plan starter')).toMatchObject({ monthlyLimit: 1000 });
    expect(await marqueJson('workspace set-plan acme --monthly-limit 250')).toMatchObject({
      plan: 'starter',
      monthlyLimit: 250,
    });
    expect(await marqueJson('workspace set-plan acme --plan business')).toMatchObject({
      plan: 'business',
      monthlyLimit: 250,
    });
    expect(await marqueJson('workspace set-plan acme --monthly-limit plan')).toMatchObject({ monthlyLimit: 5000 });
    expect(await marque('workspace set-plan acme')).toMatchObject({
      status: 2,
      err: expect.stringContaining('Give --plan, --monthly-limit'),
    });
    expect(await marque('workspace set-plan nobody --plan starter')).toMatchObject({
      status: 1,
      err: `There is no workspace nobody in ${dataDir}. See marque workspace list.\n`,
    });
  });
});

describe('key', () => {
  test('create prints the key once: to read, to capture, or as JSON', async () => {
    await marque('workspace create acme --plan free');
    const created = await marqueJson('key create --workspace acme --name first');
    expect(created).toMatchObject({ id: expect.any(String), key: expect.stringMatching(/^mq_live_\w{38}$/) });
    const captured = await marque('key create --workspace acme --name second');
    expect(captured.out).toMatch(/^mq_live_\w{38}\n$/);
    expect(captured.err).toContain('shown only once');
    const { out } = await marque('key list --workspace acme --json');
    expect(out).not.toContain(String(created['key']));
    expect(JSON.parse(out)).toMatchObject([{ name: 'first', state: 'active' }, { name: 'second' }]);
  });

  test('neither a key, a webhook nor a plan is given to a closed workspace', async () => {
    await marque('workspace create acme --plan free');
    {
      await using service = await testService({ DATA_DIR: dataDir });
      const workspace = await findWorkspace(service.database, 'acme');
      if (workspace === undefined) throw new Error('no workspace acme');
      await closeWorkspace({ database: service.database, clock: systemClock }, workspace, 'cli:tester');
    }
    for (const line of [
      'key create --workspace acme --name first',
      'webhook create https://example.com/hook --workspace acme',
      'workspace set-plan acme --plan business',
    ]) {
      const err = 'The workspace acme is closed permanently.\n';
      expect(await marque(line)).toEqual({ status: 1, out: '', err });
    }
    expect((await marque('workspace list')).out).toMatch(/^acme .* closed$/m);
    expect(await marqueJson('workspace list')).toMatchObject([{ slug: 'acme', suspended: true, closed: true }]);
  });

  test('revoke ends a key, and reports an unknown one', async () => {
    await marque('workspace create acme --plan free');
    const { id } = await marqueJson('key create --workspace acme --name first');
    expect(await marqueJson(`key revoke ${String(id)}`)).toEqual({ id, outcome: 'revoked' });
    expect(await marqueJson(`key revoke ${String(id)}`)).toEqual({ id, outcome: 'already-revoked' });
    expect((await marque('key list')).out).toContain('revoked');
    expect(await marque('key revoke nothing')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/There is no key nothing/),
    });
  });

  test('rotate gives a new key in place of another', async () => {
    await marque('workspace create acme --plan free');
    const old = await marqueJson('key create --workspace acme --name first');
    const next = await marqueJson(`key rotate ${String(old['id'])}`);
    expect(next).toMatchObject({ workspace: 'acme', name: 'first', key: expect.stringMatching(/^mq_live_/) });
    expect(next['key']).not.toBe(old['key']);
  });

  test('made beside a running service, opens it at once; revoked beside it, is refused at once', async () => {
    await using service = await testService({ DATA_DIR: dataDir });
    await marque('workspace create acme --plan business');
    const { id, key } = await marqueJson('key create --workspace acme --name first');
    const decode = () =>
      service.app.inject({
        method: 'POST',
        url: '/api/decode',
        headers: { 'x-api-key': String(key) },
        payload: { vin: '1HGCM82633A004352' },
      });
    expect((await decode()).json()).toMatchObject({ metadata: { plan: 'business' } });
    await marque('workspace set-plan acme --plan free');
    expect((await decode()).json()).toMatchObject({ metadata: { plan: 'free' } });
    await marque(`key revoke ${String(id)}`);
    expect((await decode()).statusCode).toBe(401);
  });
});

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
    expect(await marque(`db restore ${file}`, elsewhere)).toMatchObject({
      status: 0,
      out: expect.stringContaining(`Restored ${String(rows)} rows`),
    });
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
