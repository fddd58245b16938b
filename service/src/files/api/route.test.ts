import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { endpointAt } from '../../webhooks/testing/webhooks.ts';
import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createKey, findWorkspace, revokeKey, systemRandom } from '../../workspaces/index.ts';
import { Idempotency } from '../../metering/index.ts';
import { ALLOWANCES, Throttle } from '../../kernel/limits/throttle.ts';
import { type Job, type JobClient, jobsOf } from '../testing/jobs.ts';
import { textCell, workbookFile } from '../testing/workbook.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let send: JobClient['send'];
let get: JobClient['get'];
let ended: JobClient['ended'];

beforeEach(async () => {
  service = await testService({ PLAN_LIMIT_STARTER: '2' });
  await service.app.ready();
  ({ send, get, ended } = jobsOf(service));
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

test('a job is charged to the key that sent it, also by the usage and the stored decodes', async () => {
  const key = await service.keyFor('business');
  const { id } = (await send(key, { vins: [VIN, 'WVWZZZ1KZCW000001'] })).json<Job>();
  await ended(key, id);
  const { months } = (await get(key, '/api/usage')).json<{ months: { keys: { key: string; charged: number }[] }[] }>();
  expect(months[0]?.keys).toEqual([expect.objectContaining({ key: expect.stringContaining('mq_live_'), charged: 2 })]);
  const stored = await service.database.kysely.selectFrom('decodes').select('key_id').distinct().execute();
  const known = await service.database.kysely.selectFrom('api_keys').select('id as key_id').execute();
  expect(stored).toEqual(known);
});

test('a job is accepted, decoded in the background, charged for its results, and these are in order', async () => {
  const key = await service.keyFor('business');
  const sent = await send(key, { vins: [VIN, 'no VIN', 'WVWZZZ1KZCW000001'] });
  expect(sent.statusCode).toBe(202);
  const { id } = sent.json<Job>();
  expect(sent.headers['location']).toBe(`/api/jobs/${id}`);
  const job = await ended(key, id);
  expect(job).toMatchObject({ status: 'completed', vins: 3, done: 3, charged: 2, progress: 1 });
  expect(await service.charged()).toBe(2);
  const lines = (await get(key, job.results)).body.trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { vin: VIN, status: 'decoded', report: { model: 'Accord' } },
    { vin: 'no VIN', status: 'invalid' },
    { status: 'decoded', report: { manufacturer: 'Volkswagen' } },
  ]);
  const table = await get(key, job.results, { accept: 'text/csv', 'accept-encoding': 'br, gzip' });
  expect(table.headers).not.toHaveProperty('content-encoding');
  expect(table.body.split('\n')[1]).toContain('Accord');
});

test.each([
  ['application/x-ndjson', `"${VIN}"\n{"vin":"${VIN}"}\n`],
  ['text/csv; charset=utf-8', `plate,vin\nA,${VIN}\nB,${VIN}\n`],
])('a job may come as %s', async (type, payload) => {
  const key = await service.keyFor('business');
  const sent = await send(key, payload, { 'content-type': type });
  expect(sent.json()).toMatchObject({ vins: 2 });
  expect(await ended(key, sent.json<Job>().id)).toMatchObject({ status: 'completed', charged: 2 });
});

test('at the limit a job stops, lists the VINs not decoded, and can be resumed', async () => {
  const key = await service.keyFor('starter');
  const { id, results } = (await send(key, { vins: [VIN, VIN, VIN] })).json<Job>();
  expect(await ended(key, id)).toMatchObject({ status: 'stopped', done: 2, charged: 2 });
  expect((await get(key, results)).body.trim().split('\n').at(-1)).toContain('limit_reached');
  const resumed = await service.app.inject({
    method: 'POST',
    url: `/api/jobs/${id}/resume`,
    // Some clients send every request as JSON.
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  });
  expect(resumed.statusCode).toBe(202);
  expect(await ended(key, id)).toMatchObject({ status: 'stopped', charged: 2 });
  expect(await service.charged()).toBe(2);
});

test("the end of a job and its stop at the limit are events of the workspace's webhooks", async () => {
  const [business, starter] = [await service.keyFor('business'), await service.keyFor('starter')];
  for (const slug of ['business', 'starter']) {
    const { id = '' } = (await findWorkspace(service.database, slug)) ?? {};
    // A name that no DNS server knows: the events stay where they are.
    await endpointAt(service.database, id, 'https://receiver.invalid/');
  }
  const completed = (await send(business, { vins: [VIN, 'no VIN'] })).json<Job>();
  await ended(business, completed.id);
  const stopped = (await send(starter, { vins: [VIN, VIN, VIN] })).json<Job>();
  await ended(starter, stopped.id);
  const events = await service.database.kysely
    .selectFrom('webhook_deliveries')
    .select(['type', 'data'])
    .where('type', 'like', 'job.%')
    .orderBy('type')
    .execute();
  expect(events.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
    ['job.completed', { jobId: completed.id, vins: 2, done: 2, charged: 1, results: completed.results }],
    ['job.stopped', { jobId: stopped.id, vins: 3, done: 2, charged: 2, results: stopped.results }],
  ]);
});

test('jobs that charge nothing send a bounded number of events an hour, so that nobody floods a receiver', async () => {
  const key = await service.keyFor('business');
  const { id = '' } = (await findWorkspace(service.database, 'business')) ?? {};
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  const { key: testKey } = await createKey(deps, { workspaceId: id, name: 'tests', mode: 'test' }, 'cli:test');
  await endpointAt(service.database, id, 'https://receiver.invalid/');
  const throttle = new Throttle(service.database, systemClock);
  for (let sent = 2; sent < ALLOWANCES.eventOfFreeJob.tries; sent++) {
    expect(await throttle.count(ALLOWANCES.eventOfFreeJob, id)).toBeUndefined();
  }
  const told: string[] = [];
  for (const [by, vin] of [
    [key, 'no VIN'],
    [testKey, VIN],
    [key, 'no VIN'],
    [testKey, VIN],
    [key, VIN],
  ] as const) {
    const job = (await send(by, { vins: [vin] })).json<Job>();
    await ended(by, job.id);
    const events = service.database.kysely.selectFrom('webhook_deliveries').select('event_id');
    const ofJob = await events.where('data', 'like', `%${job.id}%`).execute();
    told.push(ofJob.length === 1 ? 'told' : 'not told');
  }
  expect(told).toEqual(['told', 'told', 'not told', 'not told', 'told']);
});

test('a job that is resumed and stops again at once counts as one that charges nothing', async () => {
  const key = await service.keyFor('starter');
  const { id = '' } = (await findWorkspace(service.database, 'starter')) ?? {};
  await endpointAt(service.database, id, 'https://receiver.invalid/');
  const job = (await send(key, { vins: [VIN, VIN, VIN] })).json<Job>();
  await ended(key, job.id);
  const throttle = new Throttle(service.database, systemClock);
  for (let sent = 1; sent < ALLOWANCES.eventOfFreeJob.tries; sent++) {
    expect(await throttle.count(ALLOWANCES.eventOfFreeJob, id)).toBeUndefined();
  }
  for (let resumed = 0; resumed < 3; resumed++) {
    const url = `/api/jobs/${job.id}/resume`;
    await service.app.inject({ method: 'POST', url, headers: { 'x-api-key': key } });
    await ended(key, job.id);
  }
  const events = service.database.kysely.selectFrom('webhook_deliveries').select('event_id');
  // The first stop, which had charged, and the last one of the hour that charges nothing.
  expect(await events.where('type', '=', 'job.stopped').execute()).toHaveLength(2);
});

test('a job that is sent twice with one Idempotency-Key is one job', async () => {
  const key = await service.keyFor('business');
  const repeated = { 'idempotency-key': 'once' };
  const begun = vi.spyOn(Idempotency.prototype, 'begin');
  const first = await send(key, { vins: [VIN] }, repeated);
  const again = await send(key, { vins: [VIN] }, repeated);
  expect(again.json<Job>().id).toBe(first.json<Job>().id);
  expect(again.headers['idempotency-replayed']).toBe('true');
  // The body as it came, not a copy that waits beside it.
  expect(begun.mock.calls[0]?.[2]).toEqual([expect.any(String), Buffer.from(JSON.stringify({ vins: [VIN] }))]);
  begun.mockRestore();
  await ended(key, first.json<Job>().id);
  expect(await service.charged()).toBe(1);
});

test('an Idempotency-Key of a job is for one encoding and one media type', async () => {
  const key = await service.keyFor('business');
  const post = async (url: string, type: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url,
        headers: { 'x-api-key': key, 'idempotency-key': 'once', 'content-type': type },
        payload: `VIN,Name\n${VIN},x\n`,
      })
    ).statusCode;
  expect(await post('/api/jobs?encoding=windows-1252', 'text/csv')).toBe(202);
  expect(await post('/api/jobs?encoding=windows-1252', 'text/csv')).toBe(202);
  expect(await post('/api/jobs?encoding=iso-8859-5', 'text/csv')).toBe(422);
  expect(await post('/api/jobs?encoding=windows-1252', 'application/json')).toBe(422);
});

test('a job may be larger than a file of a page', async () => {
  const key = await service.keyFor('business');
  const rows = Array.from({ length: 200_000 }, (_, index) => `1HGCM82633A${100_000 + index},${index}`);
  const text = { 'content-type': 'text/csv' };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/api/jobs?dryRun=1',
    headers: { 'x-api-key': key, ...text },
    payload: `VIN,No\n${rows.join('\n')}\n`,
  });
  expect(answer.json()).toMatchObject({ vins: 200_000, valid: 200_000, column: 'VIN', encoding: 'utf-8' });
  const tooMany = await send(key, `VIN,No\n${rows.join('\n')}\n${VIN},x\n`, text);
  expect(tooMany.statusCode).toBe(400);
  expect(tooMany.body).toContain('at most 200000 rows');
  expect((await send(key, 'x'.repeat(10_000_001), text)).statusCode).toBe(413);
});

test.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain'])(
  'the contents decide where the media type is %s, as clients send without one',
  async (type) => {
    const key = await service.keyFor('business');
    const workbook = Buffer.from(await workbookFile([[textCell('A1', 'VIN')], [textCell('A2', VIN)]]));
    const line = JSON.stringify({ id: 1, VIN });
    for (const [body, form] of [
      [workbook, 'Excel workbook'],
      [`"No","VIN"\n"1","${VIN}"\n`, 'CSV'],
      [`\uFEFFVIN\n${VIN}\n`, 'CSV'],
      [`${line}\n${line}\n`, 'JSON Lines'],
      [JSON.stringify({ vins: [VIN] }, null, 2), 'list'],
      [`${JSON.stringify({ vins: [VIN] })}\n`, 'list'],
    ] as const) {
      const made = await send(key, body, { 'content-type': type });
      expect([made.statusCode, made.json<Job & { form: string }>().form]).toEqual([202, form]);
    }
    const gzip = await send(key, gzipSync('VIN'), { 'content-type': type });
    expect([gzip.statusCode, gzip.body]).toEqual([400, expect.stringContaining('Unpack it')]);
  },
);

test('only its owner sees a job, and nothing is accepted without a key or without VINs', async () => {
  const key = await service.keyFor('business');
  const stranger = await service.keyFor('starter');
  const { id } = (await send(key, { vins: [VIN] })).json<Job>();
  for (const url of [`/api/jobs/${id}`, `/api/jobs/${id}/results`]) {
    expect((await get(stranger, url)).statusCode).toBe(404);
    expect((await service.app.inject(url)).statusCode).toBe(401);
  }
  for (const payload of [{}, { vins: [] }, { vins: [1] }, { vins: [''] }, { vins: 'x' }]) {
    expect((await send(key, payload)).statusCode).toBe(400);
  }
  expect((await send(key, VIN, { 'content-type': 'application/json' })).statusCode).toBe(400);
  expect((await send(key, 'none', { 'content-type': 'text/plain' })).statusCode).toBe(400);
  await ended(key, id);
});

test('the short job of one workspace does not wait for the long one of another', async () => {
  const [long, short] = [await service.keyFor('business', { kind: 'none' }), await service.keyFor('starter')];
  const vins = Array.from({ length: 20_000 }, (_, index) => `1HGCM82633A${100_000 + index}`);
  const { id } = (await send(long, { vins })).json<Job>();
  const longNow = async () => (await get(long, `/api/jobs/${id}`)).json<Job>();
  await until(async () => (await longNow()).done > 0);
  const small = (await send(short, { vins: [VIN] })).json<Job>();
  expect(await ended(short, small.id)).toMatchObject({ status: 'completed', charged: 1 });
  expect((await longNow()).status).toBe('running');
  expect(await ended(long, id)).toMatchObject({ status: 'completed', done: 20_000, charged: 20_000 });
});

test('jobs that are refused count, too: after a burst the next one has to wait, before its body is read', async () => {
  const key = await service.keyFor('free');
  for (let count = 0; count < 30; count++) expect((await send(key, { vins: [] })).statusCode).toBe(400);
  const refused = await send(key, 'not even JSON');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await send(await service.keyFor('business'), { vins: [VIN] })).statusCode).toBe(202);
});

test('a job whose key is revoked while it is read is not stored', async () => {
  const key = await service.keyFor('business');
  const { kysely } = service.database;
  const { id } = await kysely.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const payload = `vin\n${'1HGCM82633A004352\n'.repeat(50_000)}`;
  const sent = send(key, payload, { 'content-type': 'text/csv' });
  await revokeKey({ database: service.database, clock: systemClock }, id, 'cli:test');
  expect((await sent).statusCode).toBe(401);
  expect(await kysely.selectFrom('vin_files').selectAll().execute()).toEqual([]);
});
