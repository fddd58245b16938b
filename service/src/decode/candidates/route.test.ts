import { afterEach, beforeEach, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

/** A Golf VI, which was built with many engines: its VIN does not say which. */
const GOLF = 'WVWZZZ1KZCW000001';

interface Body {
  report: { manufacturer?: string; specs?: { powerKw?: number; fuelType?: string } };
  open: { field: string; candidates: (string | number)[]; settledBy: string[] }[];
  engines: { fuelType?: string; displacementCc?: number; powerKw?: number }[];
  conflicts: string[];
  usage: { remaining: number };
}

let service: TestService;

beforeEach(async () => {
  service = await testService({ PLAN_LIMIT_STARTER: '2' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const ask = (key: string | undefined, payload: object) =>
  service.app.inject({
    method: 'POST',
    url: '/api/decode/candidates',
    headers: key === undefined ? {} : { 'x-api-key': key },
    payload,
  });

test('open fields of a VIN are answered, and a hint narrows them', async () => {
  const key = await service.keyFor('business');
  const plain = await ask(key, { vin: GOLF });
  expect(plain.statusCode).toBe(200);
  const { report, open } = plain.json<Body>();
  expect(report.manufacturer).toBe('Volkswagen');
  expect(open.length).toBeGreaterThan(0);
  for (const { candidates, settledBy } of open) {
    expect(candidates.length).toBeGreaterThan(0);
    expect(settledBy.length).toBeGreaterThan(0);
  }
  const hinted = (await ask(key, { vin: GOLF, hints: { fuelType: 'diesel', powerKw: '77' } })).json<Body>();
  const count = (fields: Body['open']) => fields.reduce((sum, { candidates }) => sum + candidates.length, 0);
  expect(count(hinted.open)).toBeLessThan(count(open));
  expect(plain.body).not.toMatch(/confidence|source/i);
});

test('the fields of an engine are hints that choose it', async () => {
  const key = await service.keyFor('business');
  const { engines } = (await ask(key, { vin: GOLF })).json<Body>();
  const diesel = engines.find(({ fuelType, powerKw }) => fuelType === 'Diesel' && powerKw !== undefined);
  const chosen = (await ask(key, { vin: GOLF, hints: diesel })).json<Body>();
  expect(chosen.conflicts).toEqual([]);
  expect(chosen.report.specs).toMatchObject({ ...diesel });
  expect(chosen.engines.length).toBeLessThanOrEqual(1);
});

test('it is charged like a decode, and free for the same VIN within a day', async () => {
  const key = await service.keyFor('starter');
  const first = await ask(key, { vin: GOLF });
  const again = await ask(key, { vin: GOLF.toLowerCase(), hints: { powerKw: 77 } });
  expect(again.headers['x-request-id']).toBe(first.headers['x-request-id']);
  expect(again.json<Body>().usage.remaining).toBe(1);
  expect(await service.charged()).toBe(1);
  await ask(key, { vin: '1HGCM82633A004352' });
  expect((await ask(key, { vin: '1HGCM82633A004353' })).statusCode).toBe(429);
  expect((await ask(key, { vin: GOLF })).statusCode).toBe(200);
  expect(await service.charged()).toBe(2);
});

test('a masked VIN is decoded as far as it is unambiguous, and no serial number of it is stored', async () => {
  const key = await service.keyFor('business');
  for (const vin of ['WVWZZZ1KZCW', 'WVWZZZ1KZCW******', 'WVWZZZ1K*CW000001']) {
    const answer = await ask(key, { vin });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Body>().report.manufacturer).toBe('Volkswagen');
  }
  const stored = await service.database.kysely.selectFrom('decodes').select(['vin', 'report']).execute();
  expect(stored).toHaveLength(3);
  for (const row of stored) expect(JSON.stringify(row)).not.toContain('000001');
});

test.each([
  ['no VIN', { vin: 'WVW' }, /17 characters/],
  ['a hint that is none', { vin: GOLF, hints: { color: 'red' } }, /color is not a hint/],
  ['a hint that is not valid', { vin: GOLF, hints: { powerKw: 'many' } }, /powerKw takes a number/],
  ['a hint of another type', { vin: GOLF, hints: { powerKw: null } }, /^hints\.powerKw must be text or a number\.$/],
])('%s is refused and not charged', async (_, payload, says) => {
  const refused = await ask(await service.keyFor('business'), payload);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error: expect.stringMatching(says) });
  expect(await service.charged()).toBe(0);
});

test('a plan without full depth is refused before the body is read', async () => {
  expect((await ask(undefined, {})).statusCode).toBe(401);
  expect((await ask(await service.keyFor('free'), {})).statusCode).toBe(403);
  expect(await service.charged()).toBe(0);
});

test('a workspace that asks too often gets the time to ask again, is not charged for it, and holds up no other', async () => {
  const key = await service.keyFor('business');
  const hinted = Array.from({ length: 95 }, (_, number) => ({ powerKw: 100 + number }));
  const answers = await Promise.all(hinted.map((hints) => ask(key, { vin: 'WBS**************', hints })));
  const refused = answers.filter(({ statusCode }) => statusCode !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json<{ error: string }>().error).toMatch(/^Too many requests for candidates.*in 1 second\./);
  }
  expect(await service.charged()).toBe(1);
  expect((await ask(await service.keyFor('enterprise'), { vin: GOLF })).statusCode).toBe(200);
});
