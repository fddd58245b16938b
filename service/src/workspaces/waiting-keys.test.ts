import { setTimeout } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { LoopTurns } from '../kernel/limits/loop-turns.ts';
import { testService, type TestService } from '../testing/service.ts';
import { AdmissionController } from './admission-controller.ts';
import { revokeKey } from './keys.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let key: string;
let owner: { id: string; workspace_id: string };

beforeEach(async () => {
  service = await testService();
  key = await service.keyFor('free');
  const keys = service.database.kysely.selectFrom('api_keys').select(['id', 'workspace_id']);
  owner = await keys.executeTakeFirstOrThrow();
});

afterEach(() => service[Symbol.asyncDispose]());

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url, headers: { 'x-api-key': key, ...headers }, payload });

const revoke = () => revokeKey({ database: service.database, clock: systemClock }, owner.id, 'cli:tester');

test('a key that is revoked while its request waits for its turn is refused', async () => {
  const waits = Promise.withResolvers<() => void>();
  const arrived = vi
    .spyOn(AdmissionController.prototype, 'arrived')
    .mockImplementation(({ url }, { bodyLength }, goOn) => {
      if (url === '/api/decode' && bodyLength === undefined) waits.resolve(goOn);
      else goOn();
    });
  try {
    const answer = post('/api/decode', { vin: VIN });
    const goOn = await waits.promise;
    await revoke();
    // After a second a key is looked at again.
    await setTimeout(1_100);
    goOn();
    expect((await answer).statusCode).toBe(401);
    expect(await service.charged()).toBe(0);
  } finally {
    arrived.mockRestore();
  }
});

test("a key that is revoked before the turn of an assistant's call is refused", async () => {
  const waits = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const original = Reflect.get(LoopTurns.prototype, 'next');
  const next = vi.spyOn(LoopTurns.prototype, 'next').mockImplementation(async function (this: LoopTurns, ...asked) {
    if (asked[0].id === owner.workspace_id) {
      waits.resolve();
      await held.promise;
    }
    return Reflect.apply(original, this, asked);
  });
  try {
    const params = { name: 'decode_vin', arguments: { vin: VIN } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = post('/mcp', call, { accept: 'application/json, text/event-stream' });
    await waits.promise;
    await revoke();
    held.resolve();
    const { result } = (await answer).json();
    expect(result).toMatchObject({ isError: true, content: [{ text: 'The API key is invalid or inactive.' }] });
    expect(await service.charged()).toBe(0);
  } finally {
    held.resolve();
    next.mockRestore();
  }
});
