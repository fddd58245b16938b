import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { BASIC_NINE, faultsInReport } from '../testing/lawful-report.ts';
import { runningService, type RunningService, type WireAnswer } from '../testing/running.ts';
import { unknownVin } from '../testing/vins.ts';
import { revokeKey } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';

const ACCORD = '1HGCM82633A004352';
const PENDING = '0TESTPEND1NG00001';
const PLANS = ['free', 'starter', 'business', 'enterprise'] as const;
const LIMITS = { free: 100, starter: 1_000, business: 5_000, enterprise: null } as const;
const CORRECTED = [
  ['vin', ACCORD, 64],
  ['expectedManufacturer', 'Honda', 120],
  ['expectedModel', 'Accord', 160],
  ['expectedBodyStyle', 'Coupe', 120],
  ['expectedModelYear', '2003', 32],
  ['note', 'The registration says so.', 2_000],
] as const;
const CORRECTION = Object.fromEntries(CORRECTED.map(([name, value]) => [name, value]));
const USAGE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
const ERROR = { error: expect.stringMatching(/\S/) };

const withKey = (key = ''): Record<string, string> => ({ 'x-api-key': key });

describe.each(ENGINES)('on %s', (engine) => {
  let service: RunningService;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    service = await runningService(engine);
    for (const plan of PLANS) keys[plan] = await service.keyFor(plan);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const decode = (vin: unknown, headers: Record<string, string> = withKey(keys['business'])): Promise<WireAnswer> =>
    service.ask('/api/decode', { headers, body: { vin } });
  const correct = (body: unknown, headers: Record<string, string> = withKey(keys['business'])): Promise<WireAnswer> =>
    service.ask('/api/report-decode-issue', { headers, body });

  describe('What the service does', () => {
    test('decodes a VIN into a normalized, compact report', async () => {
      const told = (await decode(ACCORD)).body.report;
      const car = { manufacturer: 'Honda', model: 'Accord', modelYear: '2003', bodyStyle: 'Coupe' };
      expect(told).toMatchObject({ vin: ACCORD, wmi: '1HG', ...car });
      expect(told).toMatchObject({ vehicleType: 'Passenger car', region: 'North America' });
      expect(faultsInReport(told)).toEqual([]);
    });

    test('meters usage per public access too, and reports it in the body and in headers', async () => {
      const [first, second] = [await decode(ACCORD, {}), await decode(ACCORD, {})];
      expect(Number(first.body.usage.remaining) - Number(second.body.usage.remaining)).toBe(1);
      expect(second.headers.get('x-ratelimit-remaining')).toBe(String(second.body.usage.remaining));
    });

    test('queues corrections for review', async () => {
      const { headers } = await correct(CORRECTION);
      const { body } = await service.ask('/api/reports', { headers: withKey(keys['business']) });
      const queued = expect.objectContaining({ id: headers.get('x-report-id'), state: 'queued' });
      expect(body['reports']).toContainEqual(queued);
    });

    test('without manufacturer, answers VIN parsing only', async () => {
      const told = (await decode(unknownVin(1))).body.report;
      expect(told).toMatchObject({ wmi: '3ZZ', validFormat: true, bodyStyleNormalized: 'unknown' });
      expect(told).not.toHaveProperty('manufacturer');
      expect(faultsInReport(told)).toEqual([]);
    });
  });

  describe('Resources and their fields', () => {
    test('DecodeRequest: vin is a text of 1 to 64 characters, and required', async () => {
      expect((await decode(ACCORD.padEnd(64, ' '))).status).toBe(200);
      for (const vin of ['', ACCORD.padEnd(65, ' '), 17, null, [ACCORD], undefined]) {
        expect(await decode(vin)).toMatchObject({ status: 400, body: ERROR });
      }
    });

    test('DecodeResponse: report and usage, and metadata for keys with a plan', async () => {
      expect(Object.keys((await decode(ACCORD, {})).body).toSorted()).toEqual(['report', 'usage']);
      for (const plan of PLANS) {
        const { body } = await decode(ACCORD, withKey(keys[plan]));
        expect(Object.keys(body).toSorted()).toEqual(['metadata', 'report', 'usage']);
        const premiumFieldsAvailable = expect.any(Number);
        expect(body['metadata']).toEqual({ plan, upgradeAvailable: plan !== 'enterprise', premiumFieldsAvailable });
      }
    });

    test('Response depth: the basic nine for free and public, more for paid keys', async () => {
      for (const headers of [{}, withKey(keys['free'])]) {
        expect(Object.keys((await decode(ACCORD, headers)).body.report).toSorted()).toEqual(BASIC_NINE.toSorted());
      }
      for (const plan of ['starter', 'business', 'enterprise']) {
        const { specs } = (await decode(ACCORD, withKey(keys[plan]))).body.report;
        expect(specs).toMatchObject({ fuelType: 'Gasoline', displacementCc: expect.any(Number) });
      }
    });

    test('UsageInfo: limit, remaining, resetAt; null where there is no limit', async () => {
      expect((await decode(ACCORD, {})).body.usage).toEqual({
        limit: 100,
        remaining: expect.any(Number),
        resetAt: DATE_TIME,
      });
      const { headers, ...unlimited } = await decode(ACCORD, withKey(keys['enterprise']));
      expect(unlimited.body.usage).toEqual({ limit: null, remaining: null, resetAt: DATE_TIME });
      expect(headers.get('x-ratelimit-limit')).toBe('unlimited');
    });

    test('Enrichment-pending: the marker, when to come back, and no charge', async () => {
      const { key } = await service.moreKeys('business', { mode: 'test' });
      const before = await service.charged();
      const { status, headers, body } = await decode(PENDING, withKey(key));
      expect(status).toBe(202);
      expect(body).toMatchObject({ status: 'enrichment_pending', usageCharged: false });
      expect(headers.get('retry-after')).toBe(String(body['retryAfterSeconds']));
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(await service.charged()).toBe(before);
    });

    test.each(CORRECTED)(
      'ReportDecodeIssueRequest: %s, such as %s, is required and has at most %i characters',
      async (name, _value, most) => {
        expect((await correct({ ...CORRECTION, [name]: 'x'.repeat(most) })).status).toBe(200);
        for (const value of ['x'.repeat(most + 1), ' ', 7, undefined]) {
          const error = expect.stringContaining(name);
          expect(await correct({ ...CORRECTION, [name]: value })).toMatchObject({ status: 400, body: { error } });
        }
      },
    );

    test.each(['null', '{}', '{"a":[1,{"b":null}]}', '{"__proto__":{}}', '{"constructor":{"prototype":1}}'])(
      'ReportDecodeIssueRequest: actualReport may be %s',
      async (actualReport) => {
        const body = `{"actualReport":${actualReport},${JSON.stringify(CORRECTION).slice(1)}`;
        expect((await correct(body)).body).toEqual({ saved: true, source: 'subscriber' });
      },
    );

    test.each(['"text"', '7', '[]', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`])(
      'ReportDecodeIssueRequest: actualReport may not be %s',
      async (actualReport) => {
        const body = `{"actualReport":${actualReport},${JSON.stringify(CORRECTION).slice(1)}`;
        const error = expect.stringContaining('actualReport');
        expect(await correct(body)).toMatchObject({ status: 400, body: { error } });
      },
    );
  });

  describe('Endpoints', () => {
    test('POST /api/decode: a 200 has the headers of the caller, the limit and the request', async () => {
      const { status, headers, body } = await decode(ACCORD);
      expect([status, headers.get('x-service-auth'), headers.get('x-service-client')]).toEqual([
        200,
        'subscriber',
        'business',
      ]);
      const { resetAt, limit, remaining } = body.usage;
      const told = USAGE_HEADERS.map((name) => headers.get(name));
      expect(told).toEqual([String(limit), String(remaining), String(Date.parse(resetAt) / 1_000)]);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      const anonymous = await decode(ACCORD, {});
      expect(anonymous.headers.get('x-service-auth')).toBe('public');
      expect(anonymous.headers.has('x-service-client')).toBe(false);
    });

    test('POST /api/decode: a 429 has the same headers and names the time when the limit ends', async () => {
      await using short = await runningService(engine, { PUBLIC_MONTHLY_LIMIT: '1' });
      const key = await short.keyFor('free', { kind: 'fixed', limit: 1 });
      for (const [headers, who] of [
        [{}, ['public', null]],
        [withKey(key), ['subscriber', 'free']],
      ] as const) {
        await short.ask('/api/decode', { headers, body: { vin: ACCORD } });
        for (const [path, body] of [
          ['/api/decode', { vin: ACCORD }],
          ['/api/decode/batch', { vins: [ACCORD] }],
        ] as const) {
          const refused = await short.ask(path, { headers, body });
          expect(refused).toMatchObject({
            status: 429,
            body: { ...ERROR, limit: 1, remaining: 0, resetAt: DATE_TIME },
          });
          expect(['x-service-auth', 'x-service-client'].map((name) => refused.headers.get(name))).toEqual(who);
          expect(USAGE_HEADERS.map((name) => refused.headers.get(name))).toEqual([
            '1',
            '0',
            expect.stringMatching(/^\d+$/),
          ]);
        }
      }
    });

    test('POST /api/report-decode-issue: a report without a key is stored, too', async () => {
      expect(await correct(CORRECTION, {})).toMatchObject({ status: 200, body: { saved: true, source: 'public' } });
    });
  });

  describe('Authentication', () => {
    test('a key comes as x-api-key or as a bearer token', async () => {
      for (const headers of [withKey(keys['free']), { authorization: `Bearer ${keys['free']}` }]) {
        expect((await decode(ACCORD, headers)).headers.get('x-service-client')).toBe('free');
      }
    });

    test('a key that is invalid, empty, revoked or expired is 401, and charges nobody', async () => {
      const revoked = await service.moreKeys('starter', {});
      await revokeKey({ database: service.database, clock: systemClock }, revoked.id, 'cli:test');
      const expired = await service.moreKeys('starter', { expiresAtMs: Date.now() - 1 });
      const before = await service.charged();
      const bad = ['', ' ', 'mq_live_x', revoked.key, expired.key];
      for (const headers of bad.flatMap((key) => [withKey(key), { authorization: `Bearer ${key}` }])) {
        for (const told of [await decode(ACCORD, headers), await correct(CORRECTION, headers)]) {
          expect(told).toMatchObject({ status: 401, body: ERROR });
          expect(told.headers.has('x-service-auth')).toBe(false);
        }
      }
      expect(await service.charged()).toBe(before);
    });

    test.each([
      ['/api/decode', '{'],
      ['/api/decode', '{"vin":"x"}'],
      ['/api/decode/batch', '{}'],
      ['/api/decode/candidates', '{}'],
      ['/api/jobs', '{}'],
      ['/api/report-decode-issue', '{}'],
    ])('%s names the caller of %s, which it refuses', async (path, body) => {
      const told = await service.ask(path, { headers: withKey(keys['business']), body });
      expect(told).toMatchObject({ status: 400, body: ERROR });
      expect(told.headers.get('x-service-auth')).toBe('subscriber');
      expect(told.headers.get('x-service-client')).toBe('business');
    });
  });

  describe('Errors', () => {
    test('400: an invalid VIN, a missing one and malformed JSON are refused in words and not charged', async () => {
      const before = await service.charged();
      for (const body of ['{"vin":"1HGCM82633A00435I"}', '{"vin":"1HG"}', '{}', '[]', '', '{"vin"', 'vin=1', 'null']) {
        const told = await service.ask('/api/decode', { body });
        expect(told).toMatchObject({ status: 400, body: ERROR });
        expect(Object.keys(told.body)).toEqual(['error']);
        expect(told.headers.get('x-service-auth')).toBe('public');
      }
      expect(await service.charged()).toBe(before);
    });

    test.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'text/xml', 'json'])(
      'All bodies are JSON, whatever their label: %s',
      async (type) => {
        const headers = { 'content-type': type, ...withKey(keys['business']) };
        expect((await decode(ACCORD, headers)).status).toBe(200);
        expect((await correct(CORRECTION, headers)).status).toBe(200);
      },
    );
  });

  describe('Limits', () => {
    test('the limit in body and headers is the one of the plan', async () => {
      for (const plan of PLANS) {
        const told = await decode(ACCORD, withKey(keys[plan]));
        expect(told.body.usage.limit).toBe(LIMITS[plan]);
        expect(told.headers.get('x-ratelimit-limit')).toBe(String(LIMITS[plan] ?? 'unlimited'));
      }
    });

    test('the keys of a workspace are counted together', async () => {
      const { key } = await service.moreKeys('starter', {});
      const [first, second] = [await decode(ACCORD, withKey(keys['starter'])), await decode(ACCORD, withKey(key))];
      expect(Number(first.body.usage.remaining) - Number(second.body.usage.remaining)).toBe(1);
    });

    test('a burst limit answers like the monthly one, and gives the time to the next try', async () => {
      await using busy = await runningService(engine);
      await busy.keyFor('business');
      const { key } = await busy.moreKeys('business', { mode: 'test' });
      const ask = () => busy.ask('/api/decode', { headers: withKey(key), body: { vin: ACCORD } });
      const told = await Promise.all(Array.from({ length: 90 }, ask));
      const refused = told.find(({ status }) => status === 429);
      expect(refused?.body).toEqual({ ...ERROR, limit: 1_000, remaining: expect.any(Number), resetAt: DATE_TIME });
      expect(refused?.headers.get('x-service-client')).toBe('business');
      expect(USAGE_HEADERS.filter((name) => !refused?.headers.has(name))).toEqual([]);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });
  });

  test('Versioning: the description carries 0.1.0, its paths no version, and its reports no other properties', async () => {
    const { body } = await service.ask('/openapi.json');
    expect(body).toMatchObject({ info: { version: '0.1.0' } });
    expect(Object.keys(Object(body['paths'])).filter((path) => /\/v\d/.test(path))).toEqual([]);
    const { VehicleReport: schema } = Object(Object(body['components']).schemas);
    const closed = { additionalProperties: false };
    expect(schema).toMatchObject({ ...closed, properties: { specs: closed, technicalSpecs: closed } });
  });
});
