import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, decodeAt, expectCounted, subscriber } from './testing/usage.ts';
import { Idempotency, openMeter, storeOutcome, type FirstRequest, type Meter } from './index.ts';
import { subjectOf } from '../workspaces/index.ts';

const noon = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 24 * 3_600_000;

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let meter: Meter;
  let now = noon;
  let idempotency: Idempotency;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    meter = openMeter(database, () => now);
    idempotency = new Idempotency(database, () => now);
  });

  afterAll(async () => {
    await meter.close();
    await fresh.remove();
  });

  async function first(scope: string, key: string, body: string): Promise<FirstRequest> {
    const finding = await idempotency.begin(scope, key, body);
    if (finding.kind !== 'first') throw new Error(finding.kind);
    return finding;
  }

  test('a repeated request gets the first outcome for 24 hours, and is charged once', async () => {
    const caller = subscriber('repeating', 10);
    const scope = subjectOf(caller);
    const decode = decodeAt(noon);
    const request = await first(scope, 'k', '{"vin":"a"}');
    const outcome = await chargeOne(meter, caller, decode, request.recordOf('the answer'));
    request.end();
    expect(outcome).toMatchObject({ kind: 'granted', usage: { remaining: 9 } });
    now = noon + DAY_MS - 1;
    expect(await idempotency.begin(scope, 'k', '{"vin":"a"}')).toEqual({
      kind: 'repeated',
      outcome: 'the answer',
      decodeId: decode.id,
      usage: { limit: 10, remaining: 9, resetAtMs: Date.UTC(2026, 5, 1) },
      isUnchecked: false,
    });
    expect(await idempotency.begin(scope, 'k', '{"vin":"b"}')).toEqual({ kind: 'reused-idempotency-key' });
    now = noon + DAY_MS;
    const again = await first(scope, 'k', '{"vin":"b"}');
    expect(await chargeOne(meter, caller, decodeAt(now), again.recordOf('another'))).toMatchObject({ kind: 'granted' });
    again.end();
    await expectCounted(database, 'repeating', 2);
  });

  test('while the first request runs, another one with its key gets a conflict', async () => {
    const request = await first('s', 'running', 'a');
    expect(await idempotency.begin('s', 'running', 'a')).toEqual({ kind: 'under-way' });
    expect(await idempotency.begin('s', 'running', ['', Buffer.from('a')])).toEqual({ kind: 'under-way' });
    expect(await idempotency.begin('s', 'running', 'b')).toEqual({ kind: 'reused-idempotency-key' });
    request.end();
    (await first('s', 'running', 'b')).end();
  });

  test('a request that was not granted may be sent again with its key', async () => {
    const caller = subscriber('refused-first', 0);
    const request = await first(subjectOf(caller), 'k', 'a');
    expect(await chargeOne(meter, caller, decodeAt(noon), request.recordOf('x'))).toMatchObject({ kind: 'exhausted' });
    request.end();
    (await first(subjectOf(caller), 'k', 'a')).end();
  });

  test("one caller's key means nothing for another caller", async () => {
    const caller = subscriber('own-key', 10);
    const request = await first(subjectOf(caller), 'k', 'a');
    await chargeOne(meter, caller, decodeAt(noon), request.recordOf('x'));
    request.end();
    expect(await idempotency.begin(subjectOf(subscriber('other', 10)), 'k', 'a')).toMatchObject({ kind: 'first' });
  });

  test('an outcome without a charge is stored once, whichever caller comes first', async () => {
    const { recordOf, end } = await first('report:x', 'k', 'a');
    const record = recordOf('saved');
    const store = () => database.kysely.transaction().execute((trx) => storeOutcome(trx, 'report:x', record));
    expect([await store(), await store()]).toEqual([true, false]);
    end();
    expect(await idempotency.begin('report:x', 'k', 'a')).toMatchObject({ kind: 'repeated', usage: null });
  });

  test.each(['', ' ', 'a b', 'ä', 'x'.repeat(256), 'a\n'])('the key %j is malformed', async (key) => {
    expect(await idempotency.begin('s', key, 'a')).toEqual({ kind: 'bad-idempotency-key' });
  });
});
