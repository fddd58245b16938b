import { Kysely } from 'kysely';
import { expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { testService } from '../testing/service.ts';
import { privacy } from './privacy.ts';

const VIN = '1HGCM82633A004352';

test('the requests for the decodes of a VIN are read once, however many decodes it has', async () => {
  await using service = await testService();
  const { app, database } = service;
  const headers = { 'x-api-key': await service.keyFor('business'), 'idempotency-key': 'many' };
  const payload = { vins: Array.from({ length: 1_000 }, () => VIN) };
  expect((await app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload })).statusCode).toBe(200);
  const deps = { database, clock: systemClock, actor: 'cli:test' } as const;
  const { mask } = await privacy.erasure(deps, { kind: 'vin', vin: VIN });
  const read = vi.spyOn(Kysely.prototype, 'selectFrom');
  expect(await mask?.()).toEqual({ decodes: 1_000 });
  // One page of each kind of subject, and the next one, which has nothing.
  expect(read.mock.calls.filter(([table]) => table === 'idempotency').length).toBeLessThanOrEqual(4);
  read.mockRestore();
  const left = await database.kysely.selectFrom('idempotency').select('body_hash').execute();
  expect(left).toEqual([{ body_hash: '' }]);
});
