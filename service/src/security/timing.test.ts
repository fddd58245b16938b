import { createHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { createKey, createWorkspace, revokeKey, systemRandom } from '../workspaces/index.ts';
import { mintKey } from '../workspaces/key.ts';
import { systemClock } from '../kernel/clock.ts';
import { signUp } from '../people/testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';

// The cost of these steps is measured by `npm run bench -- timing`; this test proves that both sides take the same
// ones.

let service: TestService;

beforeAll(async () => {
  service = await testService();
  await signUp(service, 'known@example.com', 'known-motors');
});

afterAll(() => service[Symbol.asyncDispose]());

/** Counts the passwords hashed during some work: hashing takes nearly all of the time of a sign-in. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') count++;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
}

async function signIn(email: string): Promise<void> {
  const answer = await new Reader(service.app).post('/sign-in', { email, password: 'wrong wrong wrong' });
  expect(answer.statusCode).toBe(401);
}

test.each(['known@example.com', 'nobody@example.com', 'no address at all'])(
  'a refused sign-in hashes one password: %s',
  async (email) => {
    expect(await hashesDuring(() => signIn(email))).toBe(1);
  },
);

test('a request for a new password is answered before the account is looked up', async () => {
  const rows = () => service.database.kysely.selectFrom('account_links').select('id').execute();
  const before = (await rows()).length;
  // The look-up comes after a random time, which goes on here until the answer is there.
  const passed = Promise.withResolvers<undefined>();
  const sleep = vi.spyOn(timers, 'setTimeout').mockReturnValue(passed.promise);
  syncBuiltinESMExports();
  await new Reader(service.app).post('/forgot', { email: 'known@example.com' });
  expect((await rows()).length).toBe(before);
  sleep.mockRestore();
  syncBuiltinESMExports();
  passed.resolve(undefined);
  await until(async () => (await rows()).length === before + 1);
});

test('an unknown key and a revoked one cost one look-up when they come first, and none from then on', async () => {
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  const made = await createWorkspace(deps, { slug: 'timed', plan: 'free' }, 'cli:test');
  if (made.kind !== 'created') throw new Error(made.kind);
  const { id, key: revoked } = await createKey(deps, { workspaceId: made.workspace.id, name: 'timed' }, 'cli:test');
  await revokeKey(deps, id, 'cli:test');
  const selects = vi.spyOn(service.database.kysely, 'selectFrom');
  const lookUps = async (key: string): Promise<number> => {
    selects.mockClear();
    const headers = { 'x-api-key': key };
    const payload = { vin: '1HGCM82633A004352' };
    const answer = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload });
    expect(answer.statusCode).toBe(401);
    return selects.mock.calls.filter(([table]) => table === 'api_keys').length;
  };
  for (const key of [revoked, mintKey(systemRandom).key]) {
    expect([await lookUps(key), await lookUps(key), await lookUps(key)]).toEqual([1, 0, 0]);
  }
  selects.mockRestore();
});
