import { expect, test } from 'vitest';

import { decoder } from '../../testing/decoder.ts';
import { systemClock } from '../../kernel/clock.ts';
import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { revokeKey } from '../../workspaces/index.ts';

/** Batches that are answered at once. */
const AT_ONCE = 4;
const VINS = 300;
const vinOf = (batch: number, place: number): string =>
  `1HGCM8263${batch % 10}A${String(batch).padStart(3, '0')}${String(place).padStart(3, '0')}`;

const send = (service: TestService, key: string, vins: readonly string[]) =>
  service.app.inject({ method: 'POST', url: '/api/decode/batch', headers: { 'x-api-key': key }, payload: { vins } });

test('a batch is decoded in many turns of the event loop', async () => {
  let [inTurn, most] = [0, 0];
  const watched: typeof decoder = {
    ...decoder,
    shared: (vin) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += 1;
      most = Math.max(most, inTurn);
      return decoder.shared(vin);
    },
  };
  await using service = await testService({}, watched);
  const vins = Array.from({ length: 1_000 }, (_, serial) => `1HGCM82633A${String(serial).padStart(6, '0')}`);
  expect((await send(service, await service.keyFor('enterprise'), vins)).statusCode).toBe(200);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(100);
});

test('four batches are answered at once, and the others wait', async () => {
  const begun = new Set<string>();
  let most = 0;
  const watched: typeof decoder = {
    ...decoder,
    shared: (vin) => {
      const [batch, place] = [vin.slice(11, 14), Number(vin.slice(14))];
      if (place === VINS - 1) begun.delete(batch);
      else begun.add(batch);
      most = Math.max(most, begun.size);
      return decoder.shared(vin);
    },
  };
  await using service = await testService({}, watched);
  const key = await service.keyFor('enterprise');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, batch) =>
      send(
        service,
        key,
        Array.from({ length: VINS }, (_vin, place) => vinOf(batch, place)),
      ),
    ),
  );
  // A slow machine refuses some that waited for long.
  const answered = answers.filter(({ statusCode }) => statusCode === 200).length;
  expect(await service.charged()).toBe(answered * VINS);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});

test('free batches beyond those that may wait are refused uncharged, and a paid one is answered', async () => {
  await using service = await testService({ PLAN_LIMIT_FREE: '1000000' });
  const [free, paid] = [await service.keyFor('free'), await service.keyFor('business')];
  const vins = Array.from({ length: 100 }, (_, place) => vinOf(1, place));
  const many = Array.from({ length: 400 }, () => send(service, free, vins));
  expect((await send(service, paid, vins)).statusCode).toBe(200);
  const answers = await Promise.all(many);
  const granted = answers.filter(({ statusCode }) => statusCode === 200).length;
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(granted + refused.length).toBe(answers.length);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true);
  expect(await service.charged()).toBe((granted + 1) * vins.length);
});

test('batches whose answers nobody reads keep no others waiting', async () => {
  await using service = await testService();
  const [key, other] = [await service.keyFor('enterprise'), await service.keyFor('business')];
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  // As if the buffers of the system were full.
  service.app.server.on('connection', (socket) => Object.assign(socket, { _write: () => {}, _writev: () => {} }));
  const vins = Array.from({ length: 50 }, (_, place) => vinOf(1, place));
  const options = { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' } };
  const unread = new AbortController();
  const sent = Array.from({ length: AT_ONCE }, () =>
    fetch(`${origin}/api/decode/batch`, { ...options, body: JSON.stringify({ vins }), signal: unread.signal }),
  );
  await until(async () => (await service.charged()) === AT_ONCE * vins.length);
  expect((await send(service, other, vins)).statusCode).toBe(200);
  unread.abort();
  expect(await Promise.allSettled(sent)).toMatchObject(sent.map(() => ({ status: 'rejected' })));
});

test('small batches of many connections are answered as single decodes are', async () => {
  await using service = await testService();
  const key = await service.keyFor('enterprise');
  const vins = Array.from({ length: 10 }, (_, place) => vinOf(1, place));
  const answers = await Promise.all(Array.from({ length: 300 }, () => send(service, key, vins)));
  expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
});

test('a batch whose key is revoked while it waits is neither decoded nor charged', async () => {
  await using service = await testService();
  const key = await service.keyFor('enterprise');
  const vins = Array.from({ length: VINS }, (_, place) => vinOf(1, place));
  const many = Array.from({ length: 200 }, () => send(service, key, vins));
  await Promise.race(many);
  const deps = { database: service.database, clock: systemClock };
  const { id } = await service.database.kysely.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  await revokeKey(deps, id, 'cli:test');
  const codes = (await Promise.all(many)).map(({ statusCode }) => statusCode);
  const answered = codes.filter((code) => code === 200).length;
  expect(codes.filter((code) => code === 401).length).toBe(codes.length - answered);
  expect(answered).toBeLessThan(codes.length);
  expect(await service.charged()).toBe(answered * VINS);
});
