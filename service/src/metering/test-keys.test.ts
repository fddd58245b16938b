import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { testService, type TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { createKey, findWorkspace, systemRandom } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { TEST_VINS } from './test-keys.ts';

const VIN = '1HGCM82633A004352';

describe.each(ENGINES)('test keys on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService;
  let live: string;
  let key: string;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const { databaseUrl } = database.location;
    service = await testService(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });
    live = await service.keyFor('starter', { kind: 'fixed', limit: 2 });
    key = await testKey('starter');
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await database.remove();
  });

  const testKey = async (slug: string): Promise<string> => {
    const workspace = await findWorkspace(service.database, slug);
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const wanted = { workspaceId: workspace?.id ?? '', name: 'tests', mode: 'test' } as const;
    return (await createKey(deps, wanted, 'cli:test')).key;
  };
  const post = async (url: string, payload: object, apiKey = key, headers = {}) =>
    service.app.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey, ...headers }, payload });
  const get = async (url: string, apiKey = key) =>
    service.app.inject({ method: 'GET', url, headers: { 'x-api-key': apiKey } });
  const chargedTo = async (kind: string): Promise<number> => {
    const rows = await service.database.kysely.selectFrom('usage_ledger').select(['subject', 'charged']).execute();
    return rows.filter(({ subject }) => subject.startsWith(`${kind}:`)).reduce((sum, row) => sum + row.charged, 0);
  };

  const notes = async (apiKey: string): Promise<string[]> =>
    (await get('/api/reports', apiKey)).json<{ reports: { note: string }[] }>().reports.map(({ note }) => note);

  test('take no room for jobs and reports from live keys', async () => {
    const { kysely } = service.database;
    const note = 'As the registration says.';
    const claim = { vin: VIN, expectedManufacturer: 'Honda', expectedModel: 'Accord', expectedBodyStyle: 'Coupe' };
    const report = async (by: string) =>
      (await post('/api/report-decode-issue', { ...claim, expectedModelYear: '2003', note }, by)).statusCode;
    const send = async (by: string) => (await post('/api/jobs', { vins: [VIN] }, by)).statusCode;
    expect([await send(key), await report(key)]).toEqual([202, 200]);
    await kysely.updateTable('vin_files').set({ bytes: 50_000_000 }).execute();
    const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 499 }, (_, index) => ({ ...one, id: `copy-${index}` }));
    await kysely.insertInto('correction_reports').values(copies).execute();
    expect([await send(key), await report(key)]).toEqual([429, 429]);
    expect([await send(live), await report(live)]).toEqual([202, 200]);
  });

  test('list the reports that test keys have sent, and none of the workspace itself', async () => {
    const claim = {
      vin: VIN,
      expectedManufacturer: 'Honda',
      expectedModel: 'Accord',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
    };
    await post('/api/report-decode-issue', { ...claim, note: 'Of a live key.' }, live);
    await post('/api/report-decode-issue', { ...claim, note: 'Of a test key.' });
    expect(await notes(key)).toEqual(['Of a test key.']);
    expect(await notes(live)).toContain('Of a live key.');
  });

  test('decode for real at the depth of the plan, and take nothing from the workspace', async () => {
    expect(key).toMatch(/^mq_test_/);
    const answer = await post('/api/decode', { vin: VIN });
    expect(answer.json()).toMatchObject({
      report: { model: 'Accord', specs: { fuelType: 'Gasoline' } },
      usage: { limit: 2, remaining: 1 },
    });
    await post('/api/decode/batch', { vins: [VIN] });
    await post('/api/decode/candidates', { vin: VIN });
    expect((await get('/api/vehicles/DecodeVinValues/' + VIN + '?format=json')).statusCode).toBe(429);
    expect((await get('/api/usage', live)).json()).toMatchObject({ usage: { limit: 2, remaining: 2 } });
    expect(await chargedTo('workspace')).toBe(0);
    expect(await chargedTo('test')).toBe(2);
  });

  test('see neither usage nor jobs of the live keys, nor these those of the test keys', async () => {
    const job = (await post('/api/jobs', { vins: [VIN] }, live)).json<{ id: string }>();
    const tried = (await post('/api/jobs', { vins: [VIN] })).json<{ id: string }>();
    await until(async () => (await get(`/api/jobs/${job.id}`, live)).json<{ status: string }>().status === 'completed');
    await until(async () => (await get(`/api/jobs/${tried.id}`)).json<{ status: string }>().status === 'completed');
    expect([await chargedTo('workspace'), await chargedTo('test')]).toEqual([1, 1]);
    for (const path of ['', '/results']) {
      expect((await get(`/api/jobs/${job.id}${path}`)).statusCode).toBe(404);
      expect((await get(`/api/jobs/${tried.id}${path}`, live)).statusCode).toBe(404);
    }
    expect((await post(`/api/jobs/${job.id}/resume`, {})).statusCode).toBe(404);
    const { months } = (await get('/api/usage')).json<{ months: { charged: number; keys: { key: string }[] }[] }>();
    expect(months[0]).toMatchObject({ charged: 1 });
  });

  test('always get pending, exhausted, unknown and ambiguous answers for the VINs that are documented', async () => {
    for (let time = 0; time < 2; time++) {
      const pending = await post('/api/decode', { vin: TEST_VINS.pending });
      expect(pending.statusCode).toBe(202);
      expect(pending.json()).toMatchObject({ status: 'enrichment_pending', usageCharged: false });
      const exhausted = await post('/api/decode', { vin: TEST_VINS.exhausted });
      expect(exhausted.statusCode).toBe(429);
      expect(exhausted.json()).toMatchObject({ limit: 2, remaining: 0, resetAt: expect.any(String) });
    }
    const batch = await post('/api/decode/batch', { vins: [TEST_VINS.pending, VIN, TEST_VINS.exhausted, VIN] });
    const { results } = batch.json<{ results: { status: string }[] }>();
    expect(results.map(({ status }) => status)).toEqual([
      'enrichment_pending',
      'decoded',
      'limit_reached',
      'limit_reached',
    ]);
    const unknown = (await post('/api/decode', { vin: '0TESTUNKN0WN00001' })).json<{ report: object }>();
    expect(unknown.report).not.toHaveProperty('manufacturer');
    expect(await chargedTo('workspace')).toBe(0);
  });

  test('leave these VINs to live keys as they are', async () => {
    for (const vin of Object.values(TEST_VINS)) {
      const answer = await post('/api/decode', { vin }, live);
      expect(answer.statusCode).toBe(200);
      expect(answer.json<{ report: object }>().report).not.toHaveProperty('manufacturer');
    }
    expect(await chargedTo('workspace')).toBe(2);
  });

  test('answer a repeated Idempotency-Key again, apart from that of a live key', async () => {
    const header = { 'idempotency-key': 'one' };
    const [first, again, other] = [
      await post('/api/decode', { vin: VIN }, key, header),
      await post('/api/decode', { vin: VIN }, key, header),
      await post('/api/decode', { vin: VIN }, live, header),
    ];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()).toEqual(first.json());
    expect(other.headers['idempotency-replayed']).toBeUndefined();
    expect([await chargedTo('workspace'), await chargedTo('test')]).toEqual([1, 1]);
  });

  test('are slowed down together when they come too often, and live keys are not', async () => {
    const second = await testKey('starter');
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => get('/api/usage', index % 2 === 0 ? key : second)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(60);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get('/api/usage', live)).statusCode).toBe(200);
  });
});

describe('the ambiguous VIN', () => {
  test('leaves a body open, of which candidates are offered', async () => {
    await using service = await testService();
    const key = await service.keyFor('business');
    const headers = { 'x-api-key': key };
    const payload = { vin: 'WVWZZZ1KZAM000001' };
    const answer = await service.app.inject({ method: 'POST', url: '/api/decode/candidates', headers, payload });
    const { open } = answer.json<{ open: { field: string; candidates: unknown[] }[] }>();
    const body = open.find(({ field }) => field === 'bodyStyleNormalized');
    expect(body?.candidates.length).toBeGreaterThan(1);
  });
});
