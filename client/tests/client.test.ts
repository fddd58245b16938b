import {
  ConnectionFailed,
  InvalidRequest,
  LimitReached,
  Marque,
  NotAuthorized,
  StillPending,
  Unavailable,
} from '@marque/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { type RealService, startService } from './real-service.ts';
import { startVpic } from './vpic.ts';

const VIN = '1HGCM82633A004352';

let service: RealService;
let apiKey: string;

beforeAll(async () => {
  service = await startService({ PUBLIC_MONTHLY_LIMIT: '1' });
  apiKey = await service.keyFor('acme', 1000);
});

afterAll(() => service[Symbol.asyncDispose]());

test('decodes, checks, reports and tells usage, with a key', async () => {
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

describe('each refusal is an error of its own type', () => {
  test('no VIN, a wrong key, the month used up', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey });
    await expect(marque.decode('not a VIN')).rejects.toThrow(InvalidRequest);
    await expect(marque.decode('not a VIN')).rejects.toMatchObject({ status: 400, message: /17 characters/ });
    await expect(new Marque({ baseUrl: service.url, apiKey: 'wrong' }).decode(VIN)).rejects.toThrow(NotAuthorized);
    const stranger = new Marque({ baseUrl: service.url });
    await stranger.decode(VIN);
    const refusal = await stranger.decode(VIN).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LimitReached);
    expect(refusal).toMatchObject({ limit: 1, status: 429, resetAt: expect.any(Date) });
  });

  test('a service that is away, after the retries', async () => {
    const marque = new Marque({ baseUrl: 'http://127.0.0.1:9', retries: 1 });
    await expect(marque.check(VIN)).rejects.toThrow(ConnectionFailed);
  });

  test('a service that says to come back much later is not waited for', async () => {
    await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '3600' }]);
    const refusal = await new Marque({ baseUrl: line.url, apiKey }).decode(VIN).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Unavailable);
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

test('a VIN that is looked up outside is waited for, and charged once', async () => {
  await using vpic = await startVpic({ Make: 'FORD', Model: 'Fiesta', ModelYear: '2014' });
  await using enriched = await startService({ ENRICHMENT_VPIC_URL: vpic.url });
  const marque = new Marque({ baseUrl: enriched.url, apiKey: await enriched.keyFor('acme', 10) });
  await expect(marque.decode(vpic.vin, { waitSeconds: 0 })).rejects.toThrow(StillPending);
  const { report, usage } = await marque.decode(vpic.vin);
  expect(report).toMatchObject({ manufacturer: 'Ford', model: 'Fiesta' });
  expect(usage.remaining).toBe(9);
});
