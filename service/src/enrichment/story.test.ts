import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS } from '../kernel/clock.ts';
import { enrichment } from './slice.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { answers, FIESTA, type Provider, startProvider } from './testing/provider.ts';
import { testService, type TestService } from '../testing/service.ts';
import { unknownVin } from '../testing/vins.ts';
import { until } from '../testing/until.ts';

const VIN = unknownVin(1);
const ACCORD = '1HGCM82633A004352';

describe.each(ENGINES)('on %s', (engine) => {
  let provider: Provider;
  let database: TestDatabase;
  let service: TestService;

  beforeEach(async () => {
    provider = await startProvider();
    database = await freshDatabase(engine);
    const url = database.location.databaseUrl;
    service = await testService({
      ENRICHMENT_VPIC_URL: provider.url,
      PUBLIC_MONTHLY_LIMIT: '3',
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    });
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await database.remove();
  });

  const decode = (vin = VIN, headers: Record<string, string> = {}) =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });

  const settled = (vin = VIN) =>
    until(async () => {
      const rows = await service.database.kysely
        .selectFrom('enrichment_results')
        .select('vin')
        .where('vin', '=', vin)
        .execute();
      return rows.length > 0;
    });

  test('a VIN is pending and uncharged, then right and charged once', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    provider.treat((response, request) => void allowed.then(() => answers(FIESTA)(response, request)));
    const key = { 'x-api-key': await service.keyFor('business') };

    const first = await decode(VIN, key);
    expect(first.statusCode).toBe(202);
    expect(first.json()).toEqual({
      status: 'enrichment_pending',
      retryAfterSeconds: 3,
      usageCharged: false,
      usage: { limit: 5000, remaining: 5000, resetAt: expect.any(String) },
    });
    expect(first.headers).toMatchObject({
      'retry-after': '3',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-service-auth': 'subscriber',
      'x-service-client': 'business',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '5000',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    });
    await provider.untilAsked(1);
    const second = await decode(VIN, key);
    expect(second.statusCode).toBe(202);
    // One row is kept of all that ask again.
    expect(second.headers['x-request-id']).toBe(first.headers['x-request-id']);
    expect(await service.charged()).toBe(0);

    allow();
    await settled();
    const third = await decode(VIN, key);
    expect(third.statusCode).toBe(200);
    expect(third.json()).toMatchObject({
      report: {
        vin: VIN,
        manufacturer: 'Ford',
        model: 'Fiesta',
        modelYear: '2014',
        bodyStyle: 'Hatchback, 5-door',
        bodyStyleNormalized: 'hatchback',
        specs: { engine: '1.6 L I4, gasoline, 89 kW' },
      },
      usage: { remaining: 4999 },
    });
    expect(await service.charged()).toBe(1);
    expect((await decode(VIN, key)).statusCode).toBe(200);
    expect(provider.asked).toEqual([VIN]);

    const stored = await service.database.kysely
      .selectFrom('decodes')
      .select(['id', 'outcome', 'charged'])
      .orderBy('id')
      .execute();
    expect(stored).toMatchObject([
      { id: first.headers['x-request-id'], outcome: 'pending', charged: 0 },
      { id: third.headers['x-request-id'], outcome: 'identified', charged: 1 },
      { outcome: 'identified', charged: 1 },
    ]);
  });

  test('a VIN that no source knows is answered as its segments, charged, and not asked for again', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    provider.treat((response, request) => void allowed.then(() => answers({ ErrorCode: '7' })(response, request)));
    expect((await decode()).statusCode).toBe(202);
    allow();
    await settled();
    const answer = await decode();
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ report: object }>().report).not.toHaveProperty('manufacturer');
    expect((await decode()).statusCode).toBe(200);
    expect(await service.charged()).toBe(2);
    expect(provider.asked).toEqual([VIN]);
  });

  test('a known VIN, and one that no source covers, are answered at once, without a question to a source', async () => {
    expect((await decode('1HGCM82633A004352')).statusCode).toBe(200);
    expect((await decode('ZZZ00000000000000')).statusCode).toBe(200);
    expect(provider.asked).toEqual([]);
    expect(await service.database.kysely.selectFrom('enrichment_jobs').selectAll().execute()).toEqual([]);
  });

  test('a pending VIN of a batch is uncharged, the others are served; then it is served and charged', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    provider.treat((response, request) => void allowed.then(() => answers(FIESTA)(response, request)));
    const headers = { 'x-api-key': await service.keyFor('business') };
    const batch = () =>
      service.app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload: { vins: [VIN, ACCORD] } });
    const first = await batch();
    expect(first.json()).toMatchObject({
      results: [
        { status: 'enrichment_pending', retryAfterSeconds: 3, requestId: expect.any(String) },
        { status: 'decoded', report: { model: 'Accord' } },
      ],
      charged: 1,
    });
    allow();
    await settled();
    expect((await batch()).json()).toMatchObject({
      results: [
        { status: 'decoded', report: { manufacturer: 'Ford' } },
        { status: 'decoded', report: { model: 'Accord' } },
      ],
      charged: 2,
    });
    expect(await service.charged()).toBe(3);
  });

  test('many who ask for one VIN cause one look-up, and are all pending', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    provider.treat((response, request) => void allowed.then(() => answers(FIESTA)(response, request)));
    const key = { 'x-api-key': await service.keyFor('business') };
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await decode(VIN, key)).statusCode));
    expect(statuses).toEqual(Array(20).fill(202));
    allow();
    await settled();
    expect((await decode(VIN, key)).statusCode).toBe(200);
    expect(provider.asked).toEqual([VIN]);
  });

  test('a caller who has used up the month starts no look-up', async () => {
    for (let count = 0; count < 3; count++) await decode('1HGCM82633A004352');
    const answer = await decode();
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({ limit: 3, remaining: 0 });
    expect(provider.asked).toEqual([]);
  });

  test('a client with three decodes left may have three VINs waiting; a fourth is answered from the VIN alone', async () => {
    provider.treat(() => {});
    const statuses: number[] = [];
    for (let serial = 1; serial <= 4; serial++) statuses.push((await decode(unknownVin(serial))).statusCode);
    expect(statuses).toEqual([202, 202, 202, 200]);
  });

  test('an idempotency key that came while pending is charged once, with the report', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    provider.treat((response, request) => void allowed.then(() => answers(FIESTA)(response, request)));
    const headers = { 'idempotency-key': 'once', 'x-api-key': await service.keyFor('business') };
    expect((await decode(VIN, headers)).statusCode).toBe(202);
    allow();
    await settled();
    const bodies = [await decode(VIN, headers), await decode(VIN, headers)].map((answer) => answer.json<object>());
    expect(bodies[0]).toMatchObject({ report: { model: 'Fiesta' } });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(await service.charged()).toBe(1);
  });

  test('no client gets fields of a provider that are not ours, or values that contradict the VIN', async () => {
    provider.treat(answers({ ...FIESTA, Note: 'INTERNAL', Trim: '<b>SE</b>', AdditionalErrorText: 'INTERNAL' }));
    provider.treat(answers({ ...FIESTA, ModelYear: '2013' }), unknownVin(2));
    const key = { 'x-api-key': await service.keyFor('enterprise') };
    for (const vin of [VIN, unknownVin(2)]) {
      await decode(vin, key);
      await settled(vin);
    }
    const answer = await decode(VIN, key);
    expect(answer.body).not.toMatch(/INTERNAL|<b>/);
    expect(answer.json()).toMatchObject({ report: { model: 'Fiesta' } });
    expect((await decode(unknownVin(2), key)).json<{ report: object }>().report).not.toHaveProperty('model');
  });
});

test('without a source nothing is pending', async () => {
  await using service = await testService();
  const answer = await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
  expect(answer.statusCode).toBe(200);
});

test.each(ENGINES)('what an earlier source said, or was to say, expires without one, on %s', async (engine) => {
  const fresh = await freshDatabase(engine);
  const database = await fresh.open();
  const { kysely } = database;
  const nowMs = Date.now();
  const results = [-1, 2].map((days) => ({
    vin: unknownVin(10 + days),
    source: null,
    answer: null,
    settled_at: 1,
    expires_at: nowMs + days * DAY_MS,
  }));
  await kysely.insertInto('enrichment_results').values(results).execute();
  const waiting = { source: 'vpic', subject: 'public:x', public: 1, created_at: 1, deadline_at: nowMs, run_at: 1 };
  for (let serial = 100; serial < 700; serial += 1)
    await kysely
      .insertInto('enrichment_jobs')
      .values({ vin: unknownVin(serial), ...waiting })
      .execute();
  for (const days of [0, 1])
    await enrichment.retention?.(database, {
      nowMs: nowMs + days * DAY_MS,
      decodeDays: 30,
      signal: new AbortController().signal,
    });
  expect(await kysely.selectFrom('enrichment_jobs').select('vin').execute()).toEqual([]);
  const left = await kysely.selectFrom('enrichment_results').select('vin').execute();
  expect(left).toEqual([{ vin: unknownVin(12) }]);
  await database.close();
  await fresh.remove();
});
