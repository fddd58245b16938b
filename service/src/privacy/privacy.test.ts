import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findWorkspace, setPlan, createKey, createWorkspace, systemRandom } from '../workspaces/index.ts';
import { verifyAudit } from '../kernel/audit/index.ts';
import { runCli } from '../cli/program.ts';
import { systemClock } from '../kernel/clock.ts';
import { backupDatabase } from '../kernel/db/index.ts';
import { claimOn, correctionsOn, report } from '../corrections/testing/corrections.ts';
import { ENGINES } from '../testing/databases.ts';
import { ioWith } from '../testing/io.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { BYTES, ESCAPED, LISTED, MISTYPED, OTHER, SERIAL, STYLED, VIN, WIDE } from '../testing/vin-forms.ts';
import { endpointAt, emitEvent } from '../webhooks/testing/webhooks.ts';
import { DEFAULT_BOUNDS } from '../metering/bounds.ts';
import { verifyUsage } from '../metering/index.ts';
import { privacy as decodes } from '../metering/privacy.ts';
import { privacy as files } from '../files/privacy.ts';
import { FOLLOWED_MS } from '../kernel/privacy.ts';
import { erase } from './cli.ts';

/**
 * A file's name and page, two notes and a report about other cars, the reason of a decision, two columns of an event, a
 * key's name, an idempotency key, and a mail. */
const MENTIONS = 10;

/** The longest wait of a batch for its turn. */
const BATCH_WAIT_MS = 10_000;

describe.each(ENGINES)('on %s', (engine) => {
  let service: TestService;
  let key: string;
  let owner: Reader;

  beforeEach(async () => {
    service = await serviceOn(engine);
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    await setPlan({ database: service.database, clock: systemClock }, 'ada-motors', { plan: 'business' }, 'cli:test');
    key = (await createKey(deps(), { workspaceId: await workspaceId(), name: 'Main key of Ada' }, 'cli:test')).key;
  });

  afterEach(() => service[Symbol.asyncDispose]());

  /** Something that happens while an erasure waits. */
  let meanwhile: (() => Promise<unknown>) | undefined;

  const deps = () => ({ database: service.database, clock: systemClock, random: systemRandom });

  const workspaceId = async () => (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';

  const decode = (vin: string, headers: Record<string, string> = {}) =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });

  async function marque(...words: string[]) {
    const io = ioWith('', service.env);
    let waitedMs = 0;
    const pause = async (ms: number) => {
      waitedMs += ms;
      await meanwhile?.();
      await sleep(Math.min(ms, FOLLOWED_MS));
    };
    const status = await runCli(words, { ...io, pause });
    await finished(io.stdout.end());
    return { status, out: io.stdout.text, err: io.stderr.text, waitedMs };
  }

  /** Returns every row of every table, as one text. */
  async function everything(): Promise<string> {
    const file = join(service.env['DATA_DIR'] ?? '', 'everything');
    await backupDatabase(service.database, file, 0);
    return gunzipSync(readFileSync(file)).toString();
  }

  /**
   * Returns the bytes of SQLite's files, with what rows no longer show; of PostgreSQL, whose files are not ours, every
   * row.
   */
  async function rawFiles(): Promise<string> {
    if (engine === 'postgres') return everything();
    const folder = service.env['DATA_DIR'] ?? '';
    const files = readdirSync(folder).filter((name) => name.startsWith('marque.db'));
    return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
  }

  async function storeAll(): Promise<void> {
    await endpointAt(service.database, await workspaceId(), 'https://hooks.ada-motors.example.com/token');
    await emitEvent(service.database, await workspaceId());
    await decode(VIN);
    await decode(VIN, { 'x-api-key': key, 'idempotency-key': 'one' });
    await decode(OTHER, { 'x-api-key': key });
    const payload = { ...claimOn(VIN), actualReport: { vin: VIN } };
    const headers = { 'x-api-key': key };
    await service.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload });
    const { corrections, live } = await correctionsOn(service.database, { sendsMail: true });
    await report(
      { corrections },
      claimOn('JHMCM56557C404453', { note: `As on the other one:\n${VIN}, 1hgcm-82633 A004352.` }),
      undefined,
    );
    const id = await report({ corrections }, claimOn(VIN, { note: 'Mine.' }), undefined, 'eve@example.com');
    const decision = { by: 'admin:root@example.com', reason: '' } as const;
    const fields = { trim: 'Special' };
    const accepted = await corrections.accept(id, { scope: { kind: 'vin', vin: VIN }, fields }, decision);
    expect(accepted.kind).toBe('accepted');
    await live.close();
    const { kysely } = service.database;
    const now = systemClock();
    const answer = JSON.stringify({ Make: 'HONDA' });
    const settled = { vin: VIN, source: 'vpic', answer, settled_at: now, expires_at: now + 1e9 };
    await kysely.insertInto('enrichment_results').values(settled).execute();
    await kysely
      .insertInto('vin_files')
      .values({
        id: 'file',
        workspace_id: await workspaceId(),
        created_by: 'ada@example.com',
        name: `cars ${VIN}.csv`,
        header: '["vin"]',
        delimiter: ',',
        vin_column: 0,
        column_name: 'vin',
        width: 1,
        bytes: 42,
        state: 'completed',
        row_count: 2,
        done: 2,
        delivered: 0,
        created_at: now,
        finished_at: now,
        run_at: 0,
      })
      .execute();
    const forms = ['\t1hgcm8-2633a-004352', WIDE, [...VIN].join(' '.repeat(12)), BYTES, ESCAPED, OTHER];
    const rows = JSON.stringify(forms.map((cell) => [cell]));
    await kysely.insertInto('vin_file_pages').values({ file_id: 'file', first_row: 0, rows }).execute();
  }

  /** Writes the VIN where nobody expects one, in ways that nobody expects. */
  async function mentionElsewhere(): Promise<void> {
    const { kysely } = service.database;
    await createKey(deps(), { workspaceId: await workspaceId(), name: `car ${WIDE}_key` }, 'cli:test');
    await decode(OTHER, { 'x-api-key': key, 'idempotency-key': VIN });
    const { corrections, live } = await correctionsOn(service.database, { sendsMail: true });
    const claim = claimOn('JHMCM56557C404454', { note: `${MISTYPED}; ${STYLED}; ${ESCAPED}; ${LISTED}` });
    const reporter = { kind: 'public', clientId: 'mallory' } as const;
    const saved = await corrections.submit({ reporter, source: 'public', claim, actualReport: { [VIN]: 1 } });
    const id = saved.kind === 'saved' ? saved.id : '';
    await corrections.reject(id, { by: 'admin:root@example.com', reason: `Meant is ${VIN}.` });
    await live.close();
    const [delivery] = await kysely.selectFrom('webhook_deliveries').selectAll().execute();
    if (delivery === undefined) throw new Error('No event was stored.');
    const data = JSON.stringify({ name: `\n1HG\nCM8_2633-A/004352`, [`of ${VIN}`]: 1 });
    await kysely
      .insertInto('webhook_deliveries')
      .values({ ...delivery, event_id: 'other', vin: OTHER, data })
      .execute();
  }

  test('a VIN is handed out from wherever it is stored, and then is nowhere', async () => {
    await storeAll();
    await mentionElsewhere();
    const exported = await marque('privacy', 'export', '--vin', VIN.toLowerCase());
    expect(exported).toMatchObject({ status: 0, err: '' });
    const records = exported.out
      .trimEnd()
      .split('\n')
      .map((line): { kind: string } => JSON.parse(line));
    expect(records.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'decode',
      'decode',
      'enrichment_result',
      ...Array<string>(MENTIONS).fill('mention'),
      'override',
      'report',
      'report',
      'webhook_delivery',
      'webhook_delivery',
    ]);
    expect(await marque('privacy', 'erase', '--vin', VIN)).toMatchObject({ status: 1, err: /--yes/ });
    expect(await everything()).toContain(VIN);
    expect(await rawFiles()).toContain(VIN);

    const { status, out } = await marque('privacy', 'erase', '--vin', VIN, '--yes', '--json');
    expect({ status, ...JSON.parse(out) }).toMatchObject({
      status: 0,
      decodes: 2,
      reports: 2,
      overrides: 1,
      files: 1,
      deliveries: 2,
    });
    const left = await everything();
    expect(left).not.toMatch(new RegExp(SERIAL, 'i'));
    for (const form of [WIDE, BYTES, ESCAPED, MISTYPED, STYLED, LISTED, [...SERIAL].join(' '.repeat(12))])
      expect(left).not.toContain(form);
    expect(left).not.toContain('eve@example.com');
    expect(left).toContain(OTHER);
    const raw = await rawFiles();
    expect(raw).not.toMatch(new RegExp(SERIAL, 'i'));
    expect(raw).toContain(OTHER);
    expect((await marque('privacy', 'export', '--vin', VIN)).out).toBe('');
    expect((await verifyUsage(service.database)).disagreements).toEqual([]);
    expect(await verifyAudit(service.database)).toMatchObject({ kind: 'whole' });
  });

  test('rows that a worker has read from a file while its VIN is erased are masked once they are decoded', async () => {
    await storeAll();
    const { kysely } = service.database;
    await kysely.updateTable('vin_files').set({ finished_at: null, state: 'stopped' }).execute();
    const erasing = {
      database: service.database,
      clock: systemClock,
      actor: 'cli:test' as const,
      settled: () => decode(VIN, { 'x-api-key': key }),
    };
    await erase(erasing, [decodes, files], { kind: 'vin', vin: VIN });
    expect(await service.charged()).toBe(4);
    const stored = await kysely.selectFrom('decodes').select('vin').execute();
    expect(stored.map(({ vin }) => vin)).not.toContain(VIN);
  });

  test('after a VIN was erased the service goes on: no correction, no second charge, pages that open', async () => {
    await storeAll();
    await marque('privacy', 'erase', '--vin', VIN, '--yes');
    const repeated = await decode(VIN, { 'x-api-key': key, 'idempotency-key': 'one' });
    expect(repeated.json()).toMatchObject({ report: { vin: '1HGCM82633A******' } });
    expect(await service.charged()).toBe(3);
    expect((await decode(VIN, { 'x-api-key': key })).body).not.toContain('Special');
    const admin = await administrator(service, 'root@example.com');
    for (const page of ['/admin', '/admin?state=rejected', '/admin?state=reverted', '/admin/system', '/admin/audit']) {
      expect((await admin.get(page)).statusCode).toBe(200);
    }
    const ids = await service.database.kysely.selectFrom('correction_reports').select('id').execute();
    for (const { id } of ids) expect((await admin.get(`/admin/reports/${id}`)).statusCode).toBe(200);
    for (const page of ['', '/reports', '/files/file']) {
      expect((await owner.get(`/portal/ada-motors${page}`)).statusCode).toBe(200);
    }
  });

  test('no hash of a partial VIN is left by which an erased one could be found', async () => {
    const headers = { 'x-api-key': key };
    const partial = [`${VIN.slice(0, 16)}*`, VIN.slice(0, 16), VIN.replace('3A', '*A')];
    const vins = [...partial, `${OTHER.slice(0, 16)}*`];
    for (const vin of vins) {
      await service.app.inject({ method: 'POST', url: '/api/decode/candidates', headers, payload: { vin } });
    }
    const charges = service.database.kysely.selectFrom('idempotency').select('idempotency_key');
    expect(await charges.execute()).toHaveLength(vins.length);
    expect(await marque('privacy', 'erase', '--vin', VIN, '--yes')).toMatchObject({ status: 0 });
    expect(await charges.execute()).toHaveLength(1);
  });

  test('a workspace is handed out with its people, and then only its sums and the audit log know it', async () => {
    await storeAll();
    const headers = { 'x-api-key': key };
    const payload = { vin: VIN.replace('3A', '*A') };
    expect(
      (await service.app.inject({ method: 'POST', url: '/api/decode/candidates', headers, payload })).statusCode,
    ).toBe(200);
    let out = '';
    const kinds = async (): Promise<Set<string>> => {
      ({ out } = await marque('privacy', 'export', '--workspace', 'ada-motors'));
      const lines = out.trimEnd().split('\n');
      return new Set(lines.map((line) => JSON.parse(line).kind));
    };
    // The request log is written about once a second.
    const all =
      'workspace api_key member usage file file_rows webhook_endpoint webhook_delivery decode report request audit';
    await expect.poll(kinds).toEqual(new Set(all.split(' ')));
    expect(out).not.toMatch(/"hash"|"password"|"secret"/);

    const erased = await marque('privacy', 'erase', '--workspace', 'ada-motors', '--yes', '--json');
    expect(erased.waitedMs).toBeGreaterThan(
      FOLLOWED_MS + BATCH_WAIT_MS + DEFAULT_BOUNDS.waitMs + DEFAULT_BOUNDS.commitMs,
    );
    expect(erased.err).toBe('Waiting 30 s for requests that are under way.\n');
    expect(JSON.parse(erased.out)).toMatchObject({ decodes: 3, reports: 1, files: 1, people: 1, keys: 1, webhooks: 1 });
    expect((await decode(OTHER, { 'x-api-key': key })).statusCode).toBe(401);
    const left = await everything();
    const [audit, rest] = [linesOf(left, 'audit_log'), left.replace(linesOf(left, 'audit_log'), '')];
    expect(rest).not.toMatch(/ada@example\.com|ada-motors|Main key of Ada/);
    expect(rest).not.toContain(OTHER);
    expect(rest).not.toContain(payload.vin);
    const reports = await service.database.kysely.selectFrom('decodes').select('report').execute();
    expect(reports.filter(({ report }) => report.includes('manufacturer'))).toHaveLength(1);
    expect(audit).toContain('privacy.erased');
    expect((await verifyUsage(service.database)).disagreements).toEqual([]);
    expect(await service.charged()).toBe(4);
  });

  test('an erasure of a workspace that fails says how to go on, and can', async () => {
    await storeAll();
    meanwhile = () => Promise.reject(new Error('The disk is full.'));
    const failed = await marque('privacy', 'erase', '--workspace', 'ada-motors', '--yes');
    meanwhile = undefined;
    expect(failed.status).toBe(1);
    const command = /run marque (privacy erase --workspace \S+ --yes)\./.exec(failed.err)?.[1] ?? '';
    expect(await marque(...command.split(' '))).toMatchObject({ status: 0 });
    expect(await findWorkspace(service.database, 'ada-motors')).toBeUndefined();
  });

  test('a person who has joined another workspace since keeps the account', async () => {
    const other = await createWorkspace(deps(), { slug: 'other-motors', plan: 'free' }, 'cli:test');
    const { kysely } = service.database;
    const person = kysely.selectFrom('auth_users').select('id').where('email', '=', 'ada@example.com');
    const userId = (await person.executeTakeFirstOrThrow()).id;
    const joined = { workspace_id: other.kind === 'created' ? other.workspace.id : '', user_id: userId, created_at: 1 };
    meanwhile = () =>
      kysely
        .insertInto('workspace_members')
        .values({ ...joined, role: 'owner' })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const erased = await marque('privacy', 'erase', '--workspace', 'ada-motors', '--yes', '--json');
    meanwhile = undefined;
    expect(JSON.parse(erased.out)).toMatchObject({ people: 0 });
    expect((await owner.get('/portal/other-motors')).statusCode).toBe(200);
  });

  test('an erasure that is begun again after a break erases the people, too', async () => {
    const { kysely } = service.database;
    const left = async () => (await kysely.selectFrom('auth_users').select('email').execute()).length;
    meanwhile = () => Promise.reject(new Error('The connection broke.'));
    expect((await marque('privacy', 'erase', '--workspace', 'ada-motors', '--yes')).status).toBe(1);
    meanwhile = undefined;
    expect(await left()).toBe(1);
    const { out } = await marque('privacy', 'export', '--workspace', 'ada-motors');
    expect(out).toMatch(/"kind":"member".*ada@example\.com/);
    const erased = await marque('privacy', 'erase', '--workspace', 'ada-motors', '--yes', '--json');
    expect(JSON.parse(erased.out)).toMatchObject({ people: 1 });
    expect(await left()).toBe(0);
  });
});

/** Returns the part of a backup with one table. */
function linesOf(backup: string, table: string): string {
  const start = backup.indexOf(`{"kind":"table","table":"${table}"`);
  const end = backup.indexOf('{"kind":', start + 1);
  return backup.slice(start, end);
}
