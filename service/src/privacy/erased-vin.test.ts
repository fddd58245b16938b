import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { runCli } from '../cli/program.ts';
import { claimHash } from '../corrections/rows.ts';
import { claimOn, correctionsOn, report } from '../corrections/testing/corrections.ts';
import { removeFile } from '../files/remove.ts';
import { systemClock } from '../kernel/clock.ts';
import { ENGINES } from '../testing/databases.ts';
import { ioWith } from '../testing/io.ts';
import { runMarque } from '../testing/run-marque.ts';
import { serviceOn, testService, type TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { OTHER, VIN } from '../testing/vin-forms.ts';

/** Until it comes, on any machine. */
const SOON = { timeout: 20_000 };

const claimThatMentions = (vin: string) => claimOn(OTHER, { expectedModel: `as ${vin}`, note: `See ${vin}.` });

describe.each(ENGINES)('after a VIN was erased on %s', (engine) => {
  let service: TestService;
  let key: string;

  beforeEach(async () => {
    service = await serviceOn(engine);
    key = await service.keyFor('business');
  });

  afterEach(() => service[Symbol.asyncDispose]());

  const decode = (vin: string, headers: Record<string, string>) =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });

  const eraseVin = async () => {
    expect(await runCli(['privacy', 'erase', '--vin', VIN, '--yes'], ioWith('', service.env))).toBe(0);
  };

  test('repeated batches and decodes have the others whole', async () => {
    const ask = (vins: string[], idempotencyKey: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/decode/batch',
        headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey },
        payload: { vins },
      });
    const single = { 'x-api-key': key, 'idempotency-key': 'single' };
    const first = await ask([VIN, OTHER, 'no VIN'], 'first');
    const last = await ask([OTHER, VIN], 'last');
    const other = await decode(OTHER, single);
    const charged = await service.charged();
    await eraseVin();
    const reportsOf = (answer: typeof first) =>
      answer.json<{ results: { report?: { vin: string } }[] }>().results.map(({ report: given }) => given);
    const [ofFirst, ofOther, malformed] = reportsOf(first);
    expect([ofFirst?.vin, ofOther?.vin, malformed]).toEqual([VIN, OTHER, undefined]);
    const masked = { vin: '1HGCM82633A******' };
    expect(reportsOf(await ask([VIN, OTHER, 'no VIN'], 'first'))).toEqual([masked, ofOther, undefined]);
    expect(reportsOf(await ask([OTHER, VIN], 'last'))).toEqual([reportsOf(last)[0], masked]);
    expect((await decode(OTHER, single)).body).toBe(other.body);
    expect(await service.charged()).toBe(charged);
    const mixed = [await ask([OTHER, OTHER], 'last'), await ask([OTHER], 'last'), await ask([OTHER, VIN], 'single')];
    expect(mixed.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422]);
  });

  /** Sends a request with an Idempotency-Key of its own. */
  const sendOnce = (url: string, payload: object) =>
    service.app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': key, 'idempotency-key': `to:${url}` },
      payload,
    });

  /** Returns the records of requests by which a VIN could be guessed. */
  const hashes = async () => {
    const rows = await service.database.kysely.selectFrom('idempotency').selectAll().execute();
    return rows.filter(({ idempotency_key: name, body_hash: of }) => of !== '' || name.startsWith('own candidates'));
  };

  test('no hash is left from which an erased VIN could be computed', async () => {
    const report = claimOn(VIN);
    const all: [string, object][] = [
      ['/api/decode', { vin: VIN }],
      ['/api/decode/batch', { vins: [VIN, OTHER] }],
      ['/api/decode/candidates', { vin: VIN }],
      ['/api/report-decode-issue', report],
      ['/api/jobs', { vins: [VIN] }],
    ];
    for (const [url, payload] of all) expect((await sendOnce(url, payload)).body).not.toContain('"error"');
    expect(await hashes()).toHaveLength(5);
    await eraseVin();
    expect(await hashes()).toEqual([]);
    expect((await sendOnce('/api/report-decode-issue', report)).statusCode).toBe(422);
  });

  test('no hash is left of a batch that had the VIN misspelt, or after the last decode of the month', async () => {
    expect((await sendOnce('/api/decode/batch', { vins: [OTHER, VIN.slice(0, 16)] })).statusCode).toBe(200);
    const limited = await service.keyFor('starter', { kind: 'fixed', limit: 1 });
    const headers = { 'x-api-key': limited, 'idempotency-key': 'last' };
    const request = { method: 'POST', url: '/api/decode/batch', headers, payload: { vins: [OTHER, VIN] } } as const;
    const first = await service.app.inject(request);
    expect(first.json()).toMatchObject({ results: [{ status: 'decoded' }, { status: 'limit_reached' }] });
    await eraseVin();
    expect(await hashes()).toEqual([]);
    expect((await service.app.inject(request)).body).toBe(first.body);
  });

  test('no hash is left of a report of another VIN that mentioned it', async () => {
    expect((await sendOnce('/api/report-decode-issue', claimThatMentions(VIN))).statusCode).toBe(200);
    await eraseVin();
    expect(await hashes()).toEqual([]);
    const reports = service.database.kysely.selectFrom('correction_reports').select('claim_hash');
    expect(await reports.execute()).toEqual([{ claim_hash: claimHash(OTHER, claimThatMentions('1HGCM82633A******')) }]);
  });

  test('no hash is left of what is not stored, and repeated requests are compared with what is', async () => {
    const report = claimOn(OTHER);
    const all: [string, object][] = [
      ['/api/report-decode-issue', { ...report, actualReport: { tradeIn: VIN } }],
      ['/api/jobs', { vins: [OTHER], callback: VIN }],
      ['/api/decode', { vin: OTHER }],
    ];
    await service.app.inject({ method: 'POST', url: '/api/report-decode-issue', payload: report });
    const firsts = [];
    for (const [url, payload] of all) firsts.push(await sendOnce(url, payload));
    expect(firsts.map(({ body }) => body)).not.toContain(expect.stringContaining('"error"'));
    expect(await hashes()).toHaveLength(3);
    await eraseVin();
    expect(await hashes()).toEqual([]);
    const [reported, made, decoded] = firsts;
    const again = await sendOnce('/api/report-decode-issue', report);
    expect([again.statusCode, again.headers['x-report-id']]).toEqual([200, reported?.headers['x-report-id']]);
    const job = await sendOnce('/api/jobs', { vins: [OTHER] });
    expect([job.statusCode, job.headers.location]).toEqual([202, made?.headers.location]);
    expect((await sendOnce('/api/decode', { vin: OTHER })).body).toBe(decoded?.body);
    const others: [string, object][] = [
      ['/api/report-decode-issue', { ...report, note: 'Another.' }],
      ['/api/jobs', { vins: [OTHER, OTHER] }],
      ['/api/jobs', { vins: [VIN] }],
      ['/api/decode', { vin: `${OTHER.slice(0, 11)}999999` }],
    ];
    for (const [url, payload] of others) expect((await sendOnce(url, payload)).statusCode).toBe(422);
  });

  test('no hash of a job is left whose file was removed before, or whose erasure was broken off', async () => {
    const { id } = (await sendOnce('/api/jobs', { vins: [VIN, OTHER] })).json<{ id: string }>();
    await removeFile({ ...service, clock: systemClock }, id);
    expect(await hashes()).toEqual([]);
    await service.database.kysely.deleteFrom('idempotency').execute();
    await sendOnce('/api/jobs', { vins: [VIN] });
    expect(await hashes()).toHaveLength(1);
    const update = Reflect.get(Kysely.prototype, 'updateTable');
    const broken = vi.spyOn(Kysely.prototype, 'updateTable').mockImplementation(function (
      this: unknown,
      ...of: unknown[]
    ) {
      if (of[0] === 'vin_file_pages') throw new Error('The connection is lost.');
      return Reflect.apply(update, this, of);
    });
    expect(await runCli(['privacy', 'erase', '--vin', VIN, '--yes'], ioWith('', service.env))).toBe(1);
    broken.mockRestore();
    expect(await hashes()).toEqual([]);
  });

  const modelOfOther = async () => {
    const { report } = (await decode(OTHER, { 'x-api-key': key })).json<{ report: { model?: string } }>();
    return report.model;
  };

  test('running services no longer answer other vehicles with a correction that names it', async () => {
    const { kysely } = service.database;
    const here = await correctionsOn(service.database);
    const id = await report(here, claimOn(OTHER));
    const by = { by: 'cli:test', reason: '' } as const;
    await here.corrections.accept(id, { scope: { kind: 'vin', vin: OTHER }, fields: { model: 'x' } }, by);
    await here.live.close();
    await expect.poll(modelOfOther, SOON).toBe('x');
    // As an earlier version wrote it.
    const fields = JSON.stringify({ model: `as x${VIN}` });
    await kysely.updateTable('overrides').set({ fields }).execute();
    await eraseVin();
    await expect.poll(modelOfOther, SOON).toBe('as x1HGCM82633A******');
  });

  test('a job says so of its row, and does not call it malformed', async () => {
    const headers = { 'x-api-key': key };
    const payload = { vins: [VIN, OTHER, 'no VIN'] };
    const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
    const { id } = sent.json<{ id: string }>();
    const ask = (path: string, accept = '*/*') =>
      service.app.inject({ url: `/api/jobs/${id}${path}`, headers: { ...headers, accept } });
    await until(async () => (await ask('')).json<{ status: string }>().status === 'completed');
    const lines = async () =>
      (await ask('/results')).body
        .split('\n', 3)
        .map((line): { requestId?: string; error?: string } => JSON.parse(line));
    const [before, ...others] = await lines();
    await eraseVin();
    const masked = '1HGCM82633A******';
    const { requestId } = before ?? {};
    const [after, ...same] = await lines();
    expect(after).toMatchObject({ vin: masked, status: 'decoded', requestId, report: { vin: masked } });
    expect(same).toEqual(others);
    const csv = (await ask('/results', 'text/csv')).body.split('\r\n');
    expect(csv[1]).toMatch(/^1HGCM82633A\*{6},.*,The result is no longer stored\.$/);
    expect(csv[3]).toMatch(/^no VIN,.*has 17 characters/);
  });
});

test("an erasure beside a reader says that SQLite's log keeps the data, and another one after it empties the log", async () => {
  await using service = await testService();
  await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
  const file = join(service.env['DATA_DIR'] ?? '', 'marque.db');
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM decodes');
  const erase = () => runMarque(`privacy erase --vin ${VIN} --yes`, service.env);
  const held = await erase();
  expect([held.status, held.err]).toEqual([0, expect.stringContaining('Then run this command again')]);
  reader.close();
  const again = await erase();
  expect([again.status, again.err]).toEqual([0, '']);
  expect(readFileSync(`${file}-wal`, 'latin1')).not.toContain(VIN);
});
