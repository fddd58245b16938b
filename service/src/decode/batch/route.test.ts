import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { decoder, talkativeDecoder } from '../../testing/decoder.ts';
import { testService, type TestService } from '../../testing/service.ts';
import { metadataFor } from '../depth.ts';

const ACCORD = '1HGCM82633A004352';
const GOLF = 'WVWZZZ1KZAW000001';

interface Line {
  vin: string;
  status: string;
  requestId?: string;
  report?: object;
  error?: string;
}

interface Body {
  results: Line[];
  charged: number;
  usage: { limit: number | null; remaining: number | null };
  metadata?: object;
}

let service: TestService;

beforeEach(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '20', PLAN_LIMIT_STARTER: '3' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const batch = (vins: unknown, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload: { vins } });

const stored = async () =>
  service.database.kysely.selectFrom('decodes').select(['id', 'vin', 'charged']).orderBy('id').execute();

describe('a batch', () => {
  test('is answered in the order of its VINs, with an error for each text that is not one', async () => {
    const key = await service.keyFor('business');
    const response = await batch([GOLF, 'not a vin', ` ${ACCORD.toLowerCase()}`, ''], { 'x-api-key': key });
    expect(response.statusCode).toBe(200);
    const { results, charged, usage, metadata } = response.json<Body>();
    expect(results.map(({ vin, status }) => [vin, status])).toEqual([
      [GOLF, 'decoded'],
      ['not a vin', 'invalid'],
      [` ${ACCORD.toLowerCase()}`, 'decoded'],
      ['', 'invalid'],
    ]);
    expect(results.map(({ report }) => report)).toEqual([
      decoder.decode(GOLF),
      undefined,
      decoder.decode(ACCORD),
      undefined,
    ]);
    expect(results[1]?.error).toContain('Positions 2 and 6');
    expect({ charged, usage }).toMatchObject({ charged: 2, usage: { limit: 5000, remaining: 4998 } });
    expect(metadata).toEqual({ plan: 'business', upgradeAvailable: true });
    expect(response.headers).toMatchObject({
      'x-service-auth': 'subscriber',
      'x-service-client': 'business',
      'x-ratelimit-remaining': '4998',
    });
  });

  test('gives every result the id of its stored decode, and the content of a single decode', async () => {
    const key = await service.keyFor('free');
    const headers = { 'x-api-key': key };
    const { results } = (await batch([ACCORD, GOLF], headers)).json<Body>();
    const rows = await stored();
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(results.map(({ requestId }) => requestId)));
    const single = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: ACCORD } });
    const { premiumFieldsAvailable } = metadataFor('free', decoder.decode(ACCORD));
    expect(results[0]).toMatchObject({ report: single.json<{ report: object }>().report, premiumFieldsAvailable });
  });

  test('is charged exactly for its decodes, the same VIN twice as two', async () => {
    const key = await service.keyFor('business');
    const { charged } = (await batch([ACCORD, ACCORD, 'x', GOLF], { 'x-api-key': key })).json<Body>();
    expect(charged).toBe(3);
    expect(await service.charged()).toBe(3);
    expect(await stored()).toHaveLength(3);
  });

  test('is cut at the limit: the first ones are served, the others marked and not charged', async () => {
    const headers = { 'x-api-key': await service.keyFor('starter') };
    const cut = await batch([ACCORD, 'x', GOLF, ACCORD, GOLF, ACCORD], headers);
    expect(cut.statusCode).toBe(200);
    const { results, charged, usage } = cut.json<Body>();
    expect(results.map(({ status }) => status)).toEqual([
      'decoded',
      'invalid',
      'decoded',
      'decoded',
      'limit_reached',
      'limit_reached',
    ]);
    expect(results.at(-1)).not.toHaveProperty('report');
    expect({ charged, usage }).toMatchObject({ charged: 3, usage: { limit: 3, remaining: 0 } });
    const refused = await batch([ACCORD], headers);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: expect.any(String), limit: 3, remaining: 0 });
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect((await batch(['x', 'y'], headers)).statusCode).toBe(200);
    expect(await service.charged()).toBe(3);
  });

  test('comes as lines when asked, the same results and then the counts', async () => {
    const headers = { 'x-api-key': await service.keyFor('enterprise') };
    const vins = Array.from({ length: 120 }, (_, index) => (index % 7 === 3 ? 'x' : index % 2 === 0 ? ACCORD : GOLF));
    const asJson = (await batch(vins, headers)).json<Body>();
    const streamed = await batch(vins, { ...headers, accept: 'application/x-ndjson' });
    expect(streamed.headers['content-type']).toBe('application/x-ndjson');
    const lines = streamed.body
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const { results, ...end } = asJson;
    expect(lines.at(-1)).toEqual(end);
    const withoutIds = results.map(({ requestId: _id, ...rest }) => rest);
    expect(lines.slice(0, -1)).toMatchObject(withoutIds);
    expect(await service.charged()).toBe(2 * end.charged);
  });

  test('accepts up to 1,000 VINs with a key, and 10 without', async () => {
    const headers = { 'x-api-key': await service.keyFor('enterprise') };
    const thousand = Array.from({ length: 1000 }, () => ACCORD);
    expect((await batch(thousand, headers)).json<Body>().charged).toBe(1000);
    expect((await batch([...thousand, ACCORD], headers)).json()).toEqual({
      error: 'vins has more than 1,000 entries.',
    });
    expect((await batch(thousand.slice(0, 10))).json<Body>().charged).toBe(10);
    const refused = await batch(thousand.slice(0, 11));
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ error: string }>().error).toContain('at most 10 VINs; this one has 11');
    expect(await service.charged()).toBe(1010);
  });

  test.each([
    [undefined, 'vins is missing.'],
    [[], 'vins is an empty list.'],
    [ACCORD, 'vins must be a list.'],
    [[ACCORD, 17], 'vins.1 must be text.'],
  ])('of %j is refused: %s', async (vins, error) => {
    const response = await batch(vins);
    expect([response.statusCode, response.json()]).toEqual([400, { error }]);
    expect(await service.charged()).toBe(0);
  });

  test('lets nothing out that its schema does not list', async () => {
    await using talkative = await testService({}, talkativeDecoder);
    const headers = { 'x-api-key': await talkative.keyFor('enterprise') };
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const response = await talkative.app.inject({
        method: 'POST',
        url: '/api/decode/batch',
        headers: { ...headers, accept },
        payload: { vins: [ACCORD] },
      });
      expect(response.body).toContain('Accord');
      expect(response.body).not.toMatch(/confidence|internal|sources/);
    }
  });

  test('shows without a key only the basic fields', async () => {
    const { results, metadata } = (await batch([ACCORD])).json<Body>();
    expect(results[0]).not.toHaveProperty('premiumFieldsAvailable');
    expect(results[0]?.report).not.toHaveProperty('vis');
    expect(metadata).toBeUndefined();
  });
});

describe('an Idempotency-Key on a batch', () => {
  test('brings the same answer again, cut where it was cut, and charges once', async () => {
    const headers = { 'x-api-key': await service.keyFor('starter'), 'idempotency-key': 'first' };
    const vins = [ACCORD, 'x', GOLF, ACCORD, GOLF];
    const first = (await batch(vins, headers)).json<Body>();
    expect(first.charged).toBe(3);
    expect((await batch(vins, headers)).json()).toEqual(first);
    expect(await service.charged()).toBe(3);
  });

  test('keeps little of texts that are no VINs, and answers them as before', async () => {
    const headers = { 'x-api-key': await service.keyFor('starter'), 'idempotency-key': 'malformed' };
    const vins = [ACCORD, ...Array.from({ length: 999 }, (_, place) => `1HGCM82633A00435O${place}`)];
    const first = (await batch(vins, headers)).json<Body>();
    expect(first.results[999]?.error).toContain('1HGCM82633A00435O998'.length.toString());
    const row = service.database.kysely.selectFrom('idempotency').select('outcome');
    expect((await row.executeTakeFirstOrThrow()).outcome.length).toBeLessThan(25_000);
    expect((await batch(vins, headers)).json()).toEqual(first);
    expect(await service.charged()).toBe(1);
  });

  test('is refused with another batch, and with a single decode of the same VIN', async () => {
    const headers = { 'idempotency-key': 'one' };
    await batch([ACCORD], headers);
    expect((await batch([GOLF], headers)).statusCode).toBe(422);
    const single = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: ACCORD } });
    expect(single.statusCode).toBe(422);
    expect(await service.charged()).toBe(1);
    const lines = { 'idempotency-key': 'lines' };
    await batch([ACCORD, 'a\nb'], lines);
    for (const texts of [['a', 'b'], ['a\\nb']]) expect((await batch([ACCORD, ...texts], lines)).statusCode).toBe(422);
    expect((await batch([ACCORD, 'a\nb'], lines)).statusCode).toBe(200);
  });

  test('sent twice at once is charged once', async () => {
    const headers = { 'idempotency-key': 'both' };
    const both = await Promise.all([batch([ACCORD], headers), batch([ACCORD], headers)]);
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
    expect(await service.charged()).toBe(1);
  });
});
