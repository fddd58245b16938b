import { expect, test } from 'vitest';

import { decoder } from '../../testing/decoder.ts';
import { testService, type TestService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
/** A part that names the maker, and one that does not. */
const [TOLD, UNTOLD] = ['1FMCU8*', '***WX7C5*BA'];
/** VINs in the largest batch. */
const MOST = 50;
/** Free batches that are answered at once: one place of the four is for paid ones. */
const AT_ONCE = 3;

const vinOf = (batch: number, place: number) =>
  `1HGCM82633A${String(batch).padStart(3, '0')}${String(place).padStart(3, '0')}`;

interface Answer {
  Results: Record<string, string>[];
}

/** Returns a decoder that tells of each VIN that it reads as NHTSA does. */
const watchedBy = (seen: (vin: string) => void): typeof decoder => ({
  ...decoder,
  shared: (vin) => decoder.shared(vin),
  vpic: (vin, year) => {
    seen(vin);
    return decoder.vpic(vin, year);
  },
});

const times = (count: number, vin: string): string[] => Array.from({ length: count }, () => vin);

const post = ({ app }: TestService, vins: readonly string[]) =>
  app.inject({
    method: 'POST',
    url: '/api/vehicles/DecodeVINValuesBatch',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ DATA: vins.join(';'), format: 'json' }).toString(),
  });

test('a batch of a caller whose month is used up is refused without decoding it', async () => {
  let read = 0;
  await using service = await testService(
    { PUBLIC_MONTHLY_LIMIT: '3' },
    watchedBy(() => (read += 1)),
  );
  expect((await post(service, [ACCORD, ACCORD, ACCORD])).statusCode).toBe(200);
  read = 0;
  const ofParts = await post(service, times(MOST, TOLD));
  expect(ofParts.statusCode).toBe(429);
  expect(ofParts.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' });
  expect(ofParts.json()).toMatchObject({ error: expect.stringContaining('monthly limit'), limit: 3, remaining: 0 });
  expect(read).toBe(1);
  const ofWhole = await post(service, ['#', ...times(MOST - 1, ACCORD)]);
  expect([ofWhole.statusCode, ofWhole.body]).toEqual([429, ofParts.body]);
  expect(read).toBe(1);
  expect(await service.charged()).toBe(3);
});

test('a batch of which nothing is charged is answered though the month is used up', async () => {
  await using service = await testService({ PUBLIC_MONTHLY_LIMIT: '1' });
  expect((await post(service, [ACCORD])).statusCode).toBe(200);
  const answer = await post(service, ['x', UNTOLD]);
  expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
  expect(answer.json<Answer>().Results.map(({ ErrorCode }) => ErrorCode)).toEqual(['6', '6,7']);
  expect((await post(service, ['x', UNTOLD, ACCORD])).statusCode).toBe(429);
});

test.for([
  ['lines', `${ACCORD},2003\n${TOLD},2011`],
  ['lines of Windows', `${ACCORD},2003\r\n${TOLD},2011\r\n`],
  ['commas', `${ACCORD},2003,${TOLD},2011`],
  ['a comma', `${ACCORD},${ACCORD}`],
  ['a comma and a line', `${ACCORD},\n${ACCORD}`],
  ['a space', `${ACCORD},2003 ${TOLD}`],
])('VINs in one entry that are separated by %s are refused, not left out', async ([, data = '']) => {
  await using service = await testService();
  const answer = await post(service, [data]);
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    { error: 'An entry of DATA contains more than a VIN and a model year. Separate VINs with semicolons.' },
  ]);
  const fine = await post(service, [`${ACCORD},2003,`, `\r\n${TOLD}, 2011\r\n`]);
  expect(fine.json<Answer>().Results).toHaveLength(2);
});

test('a batch is decoded in many turns of the event loop', async () => {
  let [inTurn, most] = [0, 0];
  const watched = watchedBy(() => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    most = Math.max(most, inTurn);
  });
  await using service = await testService({}, watched);
  expect((await post(service, times(MOST, TOLD))).statusCode).toBe(200);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test('batches without a key wait for their turn like those of the free plan', async () => {
  const begun = new Set<string>();
  let most = 0;
  const watched = watchedBy((vin) => {
    const batch = vin.slice(11, 14);
    if (vin.endsWith(String(MOST - 1))) begun.delete(batch);
    else begun.add(batch);
    most = Math.max(most, begun.size);
  });
  await using service = await testService({ PUBLIC_MONTHLY_LIMIT: '10000' }, watched);
  const batches = Array.from({ length: 12 }, (_, batch) =>
    Array.from({ length: MOST }, (_vin, place) => vinOf(batch, place)),
  );
  const answers = await Promise.all(batches.map((vins) => post(service, vins)));
  // A slow machine refuses some that waited for long.
  const answered = answers.filter(({ statusCode }) => statusCode === 200).length;
  expect(await service.charged()).toBe(answered * MOST);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});
