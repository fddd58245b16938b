import {
  type BatchResult,
  InvalidRequestError,
  LimitReachedError,
  Marque,
  NotAuthorizedError,
  StillPendingError,
  UnavailableError,
} from '@marque/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { type RealService, startService } from './real-service.ts';
import { startVpic, type Vpic } from './vpic.ts';

const VIN = '1HGCM82633A004352';

let vpic: Vpic;
let service: RealService;
let apiKey: string;

beforeAll(async () => {
  vpic = await startVpic({ Make: 'FORD', Model: 'Fiesta', ModelYear: '2014' });
  service = await startService({ PUBLIC_MONTHLY_LIMIT: '1', ENRICHMENT_VPIC_URL: vpic.url });
  apiKey = await service.keyFor('acme', 1000);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await vpic[Symbol.asyncDispose]();
});

test('decodes, checks, reports and reads usage, with a key', async () => {
  const marque = new Marque({ baseUrl: service.url, apiKey });
  const before = (await marque.usage()).usage.remaining ?? 0;
  const { report, usage, metadata } = await marque.decode('1hg-cm826-33a004352');
  expect(report).toMatchObject({ vin: VIN, manufacturer: 'Honda', model: 'Accord', modelYear: '2003' });
  expect(usage.remaining).toBe(before - 1);
  expect(metadata?.plan).toBe('business');
  expect(await marque.check('1HGCM82633AOO4352')).toMatchObject({ wellFormed: false, suggestions: [{ vin: VIN }] });
  const saved = await marque.report({
    vin: VIN,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord',
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
    actualReport: report,
    note: 'It was right.',
  });
  expect(saved).toEqual({ saved: true, source: 'subscriber' });
  expect((await marque.reports()).reports).toMatchObject([{ vin: VIN, state: 'queued' }]);
});

test('lists candidates for a VIN, and decides them with hints', async () => {
  const marque = new Marque({ baseUrl: service.url, apiKey });
  const { report, open } = await marque.candidates('WVWZZZ1KZCW');
  expect(report.manufacturer).toBe('Volkswagen');
  const hinted = await marque.candidates('WVWZZZ1KZCW', { fuelType: 'Diesel', powerKw: 77 });
  const count = (fields: typeof open): number => fields.reduce((sum, { candidates }) => sum + candidates.length, 0);
  expect(count(hinted.open)).toBeLessThan(count(open));
});

test('sends a job, waits for its end, and reads its results in order; a repetition is the same job', async () => {
  const marque = new Marque({ baseUrl: service.url, apiKey });
  const vins = [VIN, 'no VIN', ...Array.from({ length: 300 }, () => VIN)];
  const { id, status } = await marque.createJob(vins, { idempotencyKey: 'job-1' });
  expect(status).toBe('queued');
  expect((await marque.createJob(vins, { idempotencyKey: 'job-1' })).id).toBe(id);
  expect(await marque.finishedJob(id)).toMatchObject({ status: 'completed', vins: 302, charged: 301 });
  const results = await all(marque.jobResults(id));
  expect(results.map(({ vin }) => vin)).toEqual(vins);
  expect(results.slice(0, 2)).toMatchObject([
    { status: 'decoded', report: { model: 'Accord' } },
    { status: 'invalid' },
  ]);
  expect((await marque.resumeJob(id)).status).toBe('completed');
  await expect(marque.job('nobody')).rejects.toMatchObject({ status: 404 });
});

test('a key from a file keeps no line end, and no refusal shows a secret', async () => {
  expect(await new Marque({ baseUrl: service.url, apiKey: `${apiKey}\r\n` }).usage()).toHaveProperty('usage');
  for (const secret of ['mq_live_SEC\nRET', 'mq_live_SEC RET', 'mq_live_SECRET€', 'mq_live_SECRET\0']) {
    expect(() => new Marque({ baseUrl: service.url, apiKey: secret })).toThrow(/^apiKey must consist of visible ASCII/);
  }
  for (const url of ['http://u:SECRET@vin.example', 'http://u:SEC#RET@vin.example']) {
    expect(() => new Marque({ baseUrl: url })).toThrow(/^baseUrl must have no user and password\.$/);
  }
});

test('an option that is undefined is as one that is not given', async () => {
  const unset = { apiKey: undefined, fetch: undefined, retries: undefined, timeoutSeconds: undefined };
  const marque = new Marque({ baseUrl: service.url, ...unset, longestPauseSeconds: undefined });
  expect(await marque.check(VIN, { signal: undefined })).toMatchObject({ vin: VIN });
  const keyed = new Marque({ baseUrl: service.url, ...unset, apiKey });
  const given = { waitSeconds: undefined, idempotencyKey: undefined, signal: undefined };
  expect((await keyed.decode(VIN, given)).report.model).toBe('Accord');
});

describe('each refusal is an error of its own type', () => {
  test('no VIN, a wrong key, the month used up', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey });
    await expect(marque.decode('not a VIN')).rejects.toThrow(InvalidRequestError);
    await expect(marque.decode('not a VIN')).rejects.toMatchObject({ status: 400, message: /17 characters/ });
    await expect(new Marque({ baseUrl: service.url, apiKey: 'wrong' }).decode(VIN)).rejects.toThrow(NotAuthorizedError);
    const stranger = new Marque({ baseUrl: service.url });
    await stranger.decode(VIN);
    const refusal = await stranger.decode(VIN).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LimitReachedError);
    expect(refusal).toMatchObject({ limit: 1, status: 429, resetAt: expect.any(Date) });
  });

  test('a service that is away, after the retries', async () => {
    const marque = new Marque({ baseUrl: 'http://127.0.0.1:9', retries: 1 });
    const message = 'The service at http://127.0.0.1:9 cannot be reached.';
    await expect(marque.check(VIN)).rejects.toMatchObject({ name: 'ConnectionFailedError', message });
  });

  test('a service that asks for a long pause is not waited for', async () => {
    await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '3600' }]);
    const refusal = await new Marque({ baseUrl: line.url, apiKey }).decode(VIN).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnavailableError);
    expect(refusal).toMatchObject({ status: 503, retryAfterSeconds: 3600 });
    expect(line.arrivals).toHaveLength(1);
  });
});

test('answers lost on the way are asked for again, and charged once', async () => {
  await using line = await badLineTo(service.url, ['answer lost', { status: 502 }, 'answer lost']);
  const marque = new Marque({ baseUrl: line.url, apiKey });
  const before = (await new Marque({ baseUrl: service.url, apiKey }).usage()).usage.remaining ?? 0;
  const { report, usage } = await marque.decode(VIN);
  expect(report.model).toBe('Accord');
  expect(usage.remaining).toBe(before - 1);
  expect(line.arrivals).toHaveLength(4);
  expect(new Set(line.idempotencyKeys).size).toBe(1);
});

test('an answer that is cut off in its body is asked for again, and charged once', async () => {
  let cut = 0;
  const marque = new Marque({
    baseUrl: service.url,
    apiKey,
    longestPauseSeconds: 0.1,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (cut++ > 0) return response;
      await response.arrayBuffer();
      const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
      return new Response(broken, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    },
  });
  const before = (await new Marque({ baseUrl: service.url, apiKey }).usage()).usage.remaining ?? 0;
  expect((await marque.decode(VIN)).usage.remaining).toBe(before - 1);
  expect(cut).toBe(2);
});

test('Retry-After is waited for', async () => {
  await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '1' }]);
  await new Marque({ baseUrl: line.url, apiKey }).decode(VIN);
  const [first = 0, second = 0] = line.arrivals;
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('a call that is aborted ends at once, also while it waits', async () => {
  await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '20' }]);
  const controller = new AbortController();
  const call = new Marque({ baseUrl: line.url, apiKey }).decode(VIN, { signal: controller.signal });
  queueMicrotask(() => controller.abort(new Error('enough')));
  await expect(call).rejects.toThrow('enough');
});

test('a call whose signal is aborted already sends nothing', async () => {
  let sent = 0;
  const marque = new Marque({
    baseUrl: service.url,
    apiKey,
    fetch: (url, init) => {
      sent += 1;
      return fetch(url, init);
    },
  });
  const call = marque.decode(VIN, { signal: AbortSignal.abort(new Error('enough')) });
  await expect(call).rejects.toThrow('enough');
  expect(sent).toBe(0);
});

test('a VIN that is looked up outside is waited for, and charged once', async () => {
  const marque = new Marque({ baseUrl: service.url, apiKey });
  const before = (await marque.usage()).usage.remaining ?? 0;
  const [vin] = vpic.vins;
  await expect(marque.decode(vin, { waitSeconds: 0 })).rejects.toThrow(StillPendingError);
  const { report, usage } = await marque.decode(vin);
  expect(report).toMatchObject({ manufacturer: 'Ford', model: 'Fiesta' });
  expect(usage.remaining).toBe(before - 1);
});

describe('many VINs', () => {
  test('are decoded in their order over several requests, each charged once', async () => {
    await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '0' }, 'answer lost']);
    const marque = new Marque({ baseUrl: line.url, apiKey });
    const direct = new Marque({ baseUrl: service.url, apiKey });
    const before = (await direct.usage()).usage.remaining ?? 0;
    const vins = Array.from({ length: 25 }, (_, index) => (index === 7 ? 'no VIN' : `1HGCM82633A0043${10 + index}`));
    const results = await all(marque.decodeMany(vins, { batchSize: 10 }));
    expect(results.map(({ vin }) => vin)).toEqual(vins);
    expect(results[7]).toMatchObject({ status: 'invalid', error: expect.any(String) });
    expect(results[24]).toMatchObject({ status: 'decoded', report: { model: 'Accord' } });
    expect((await direct.usage()).usage.remaining).toBe(before - 24);
    expect(line.arrivals).toHaveLength(5);
  });

  test('are served up to the limit, and the rest is marked', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey: await service.keyFor('small', 3) });
    const results = marque.decodeMany(
      Array.from({ length: 8 }, () => VIN),
      { batchSize: 4 },
    );
    const statuses: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { status } of results) statuses.push(status);
    };
    await expect(read()).rejects.toThrow(LimitReachedError);
    expect(statuses).toEqual(['decoded', 'decoded', 'decoded', 'limit_reached']);
  });

  test('are yielded although it is refused to ask again for one that is looked up', async () => {
    const answers = [
      Response.json({
        results: [
          { vin: 'a', status: 'decoded' },
          { vin: 'b', status: 'enrichment_pending', retryAfterSeconds: 1 },
        ],
      }),
      Response.json({ error: 'used up', limit: 1, remaining: 0, resetAt: '2026-12-01T00:00:00Z' }, { status: 429 }),
    ];
    const marque = new Marque({
      baseUrl: 'http://used.up.invalid',
      fetch: async () => answers.shift() ?? Response.error(),
    });
    const results = marque.decodeMany(['a', 'b']);
    expect((await results.next()).value).toEqual({ vin: 'a', status: 'decoded' });
    expect((await results.next()).value).toMatchObject({ vin: 'b', status: 'enrichment_pending' });
    await expect(results.next()).rejects.toBeInstanceOf(LimitReachedError);
  });

  test('VINs that are looked up outside are waited for', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey });
    const results = await all(marque.decodeMany([VIN, vpic.vins[1]]));
    expect(results.map(({ report }) => report?.model)).toEqual(['Accord', 'Fiesta']);
  });
});

async function all(results: AsyncIterable<BatchResult>): Promise<BatchResult[]> {
  const list: BatchResult[] = [];
  for await (const result of results) list.push(result);
  return list;
}
