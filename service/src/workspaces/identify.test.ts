import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { fastify } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { mintKey } from './key.ts';
import {
  Access,
  authenticate,
  createKey,
  createWorkspace,
  decorateCaller,
  listAllKeys,
  refuseEndedKeys,
  revokeKey,
  rotateKey,
  setPlan,
  setSuspended,
  systemRandom,
} from './index.ts';

const planLimits = { free: 100, starter: 1000, business: 5000, enterprise: null };

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let access: Access;
  let now: number;
  const clock = (): number => now;

  beforeEach(async () => {
    now = systemClock();
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    access = new Access({ database, planLimits, publicMonthlyLimit: 50, trustProxy: [], clock });
  });

  afterEach(async () => {
    await access.close();
    await fresh.remove();
  });

  async function workspaceWithKey(slug = 'acme') {
    const created = await createWorkspace({ database, clock }, { slug, plan: 'free' }, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    const { workspace } = created;
    const key = await createKey(
      { database, clock, random: systemRandom },
      { workspaceId: workspace.id, name: 'main' },
      'cli:test',
    );
    return { workspace, key };
  }

  const withKey = async (key: string) => access.identify({ headers: { 'x-api-key': key }, address: '192.0.2.1' });

  test('a key opens its workspace, in either header', async () => {
    const { workspace, key } = await workspaceWithKey();
    const subscriber = { kind: 'subscriber', workspaceId: workspace.id, slug: 'acme', plan: 'free', limit: 100 };
    expect(await withKey(key.key)).toEqual({ ...subscriber, keyId: key.id });
    const bearer = await access.identify({ headers: { authorization: `Bearer ${key.key}` }, address: '192.0.2.1' });
    expect(bearer).toEqual({ ...subscriber, keyId: key.id });
  });

  test('a change of plan counts at once', async () => {
    const { key } = await workspaceWithKey();
    await withKey(key.key);
    await setPlan({ database, clock }, 'acme', { plan: 'starter' }, 'cli:test');
    expect(await withKey(key.key)).toMatchObject({ plan: 'starter', limit: 1000 });
    await setPlan({ database, clock }, 'acme', { plan: 'free', limit: { kind: 'none' } }, 'cli:test');
    expect(await withKey(key.key)).toMatchObject({ plan: 'free', limit: null });
  });

  test('a revoked key is refused at once', async () => {
    const { key } = await workspaceWithKey();
    await withKey(key.key);
    expect(await revokeKey({ database, clock }, key.id, 'cli:test')).toBe('revoked');
    const headers = { 'x-api-key': key.key };
    expect(await withKey(key.key)).toMatchObject({ kind: 'refused', reason: 'revoked', key: { keyId: key.id } });
    // Nor does it come before others while it is refused.
    expect(access.knownWorkspace(headers)).toBeUndefined();
  });

  test.each(['revoked', 'suspended'])(
    'a request is refused whose key was %s while its body was on its way',
    async (reason) => {
      const { key, workspace } = await workspaceWithKey();
      const app = fastify();
      decorateCaller(app, 'Service');
      refuseEndedKeys(app, access, 0);
      app.post('/', { onRequest: authenticate(access) }, async () => 'done');
      const send = async (meanwhile: () => Promise<unknown>): Promise<number> => {
        const { promise: isReading, resolve } = Promise.withResolvers<undefined>();
        const payload = new Readable({ read: () => resolve(undefined) });
        const headers = { 'content-type': 'application/json', 'x-api-key': key.key };
        const sent = Promise.resolve(app.inject({ method: 'POST', url: '/', headers, payload }));
        await isReading;
        await meanwhile();
        payload.push('{}');
        payload.push(null);
        return (await sent).statusCode;
      };
      expect(await send(async () => {})).toBe(200);
      const deps = { database, clock };
      const end = () =>
        reason === 'revoked'
          ? revokeKey(deps, key.id, 'cli:test')
          : setSuspended(deps, workspace.slug, true, 'cli:test');
      expect(await send(end)).toBe(401);
      await app.close();
    },
  );

  test('the grace of a replaced key begins with the first use of the new one and lasts 24 hours', async () => {
    const { key } = await workspaceWithKey();
    const next = await rotateKey({ database, clock, random: systemRandom }, key.id, 'cli:test');
    if (next === undefined) throw new Error('not rotated');
    now += 48 * 3_600_000;
    expect(await withKey(key.key)).toMatchObject({ kind: 'subscriber' });
    expect(await withKey(next.key)).toMatchObject({ kind: 'subscriber', keyId: next.id });
    now += 24 * 3_600_000 - 1;
    expect(await withKey(key.key)).toMatchObject({ kind: 'subscriber' });
    now += 1;
    expect(await withKey(key.key)).toMatchObject({ kind: 'refused', reason: 'expired', key: { keyId: key.id } });
  });

  // SQLite answers at once.
  test.runIf(engine === 'postgres')(
    'of keys that nobody has few are looked up at once, and a known key does not wait behind them',
    async () => {
      const { key } = await workspaceWithKey();
      await withKey(key.key);
      const reading = vi.spyOn(database.kysely, 'selectFrom');
      const looked = (): number => reading.mock.calls.filter(([table]) => table === 'api_keys').length;
      database.changes.forget();
      const other = await fresh.open();
      // No look-up ends before the known key has its answer.
      const refused = await other.kysely.transaction().execute(async (transaction) => {
        await sql`LOCK TABLE api_keys`.execute(transaction);
        const unknown = Array.from({ length: 60 }, () => withKey(mintKey(systemRandom).key));
        await setImmediate();
        expect(await withKey(key.key)).toMatchObject({ kind: 'subscriber' });
        expect(looked()).toBeGreaterThan(0);
        expect(looked()).toBeLessThanOrEqual(3);
        return { unknown };
      });
      for (const each of await Promise.all(refused.unknown))
        expect(each).toMatchObject({ kind: 'refused', reason: 'unknown' });
      reading.mockRestore();
    },
  );

  test.runIf(engine === 'postgres')('one IPv6 network keeps no new key of others from being looked up', async () => {
    const { key } = await workspaceWithKey();
    const crowd = Array.from({ length: 600 }, async (_, index) =>
      access.identify({
        headers: { 'x-api-key': mintKey(systemRandom).key },
        address: `2001:db8:1:${index.toString(16)}::1`,
      }),
    );
    const settled = Promise.allSettled(crowd);
    await setImmediate();
    expect(await withKey(key.key)).toMatchObject({ kind: 'subscriber' });
    await settled;
  });

  test.runIf(engine === 'sqlite')('a known key stays in the cache, however many others are made up', async () => {
    const { key } = await workspaceWithKey();
    await withKey(key.key);
    for (let sent = 0; sent <= 20_000; sent += 200) {
      await Promise.all(Array.from({ length: 200 }, () => withKey(mintKey(systemRandom).key)));
    }
    expect(access.knownWorkspace({ 'x-api-key': key.key })?.plan).toBe('free');
  });

  test('requests with the same new key are one look-up', async () => {
    const { key } = await workspaceWithKey();
    const reading = vi.spyOn(database.kysely, 'selectFrom');
    const all = await Promise.all(Array.from({ length: 600 }, () => withKey(key.key)));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['subscriber']));
    expect(reading.mock.calls.filter(([table]) => table === 'api_keys')).toHaveLength(1);
    reading.mockRestore();
  });

  test('a request without a key is public, and its address is nowhere in its name', async () => {
    const caller = await access.identify({ headers: {}, address: '192.0.2.1' });
    expect(caller).toMatchObject({ kind: 'public', limit: 50 });
    expect(JSON.stringify(caller)).not.toContain('192.0.2');
    expect(await access.identify({ headers: {}, address: '192.0.2.1' })).toEqual(caller);
    expect(await access.identify({ headers: {}, address: '192.0.2.2' })).not.toEqual(caller);
  });

  test('a revoked key is refused by every instance within two seconds, and so is a suspended workspace', async () => {
    const { key } = await workspaceWithKey();
    const elsewhere = await fresh.open();
    const other = new Access({ database: elsewhere, planLimits, publicMonthlyLimit: 50, trustProxy: [], clock });
    const monotonic = performance.now.bind(performance);
    let aheadMs = 0;
    const passing = vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + aheadMs);
    /** Asks the other instance two seconds later. */
    const askElsewhere = async (): Promise<string> => {
      aheadMs += 2_000;
      await setImmediate();
      const caller = await other.identify({ headers: { 'x-api-key': key.key }, address: undefined });
      return caller.kind === 'refused' ? caller.reason : caller.kind;
    };
    expect(await askElsewhere()).toBe('subscriber');
    await setSuspended({ database, clock }, 'acme', true, 'cli:test');
    expect(await askElsewhere()).toBe('suspended');
    await setSuspended({ database, clock }, 'acme', false, 'cli:test');
    expect(await askElsewhere()).toBe('subscriber');
    await revokeKey({ database, clock }, key.id, 'cli:test');
    expect(await askElsewhere()).toBe('revoked');
    passing.mockRestore();
    await other.close();
  });

  test('a revoked key is refused by the other workers of a service before the revocation is over', async () => {
    const { key } = await workspaceWithKey();
    const elsewhere = await fresh.open();
    const other = new Access({ database: elsewhere, planLimits, publicMonthlyLimit: 50, trustProxy: [], clock });
    const ask = () => other.identify({ headers: { 'x-api-key': key.key }, address: undefined });
    expect(await ask()).toMatchObject({ kind: 'subscriber' });
    const announcing = await fresh.open('tool', async () => elsewhere.changes.forget());
    await revokeKey({ database: announcing, clock }, key.id, 'cli:test');
    // On SQLite a process looks at every turn of its event loop, and this test has both in one process.
    await setImmediate();
    expect(await ask()).toMatchObject({ kind: 'refused', reason: 'revoked' });
    await other.close();
  });

  test('the last use of each key is written when the service stops, at the latest', async () => {
    const [first, second] = [await workspaceWithKey(), await workspaceWithKey('other')];
    await withKey(first.key.key);
    const firstMs = now;
    now += 1_000;
    await withKey(second.key.key);
    await access.close();
    const used = new Map((await listAllKeys(database)).map(({ id, lastUsedAtMs }) => [id, lastUsedAtMs]));
    expect(used).toEqual(
      new Map([
        [first.key.id, firstMs],
        [second.key.id, now],
      ]),
    );
  });

  test('a public client has another name each month, and the same one on every instance', async () => {
    const elsewhere = await fresh.open();
    const other = new Access({ database: elsewhere, planLimits, publicMonthlyLimit: 50, trustProxy: [], clock });
    const request = { headers: {}, address: '2001:db8:1:2::3' };
    const [here, there] = await Promise.all([access.identify(request), other.identify(request)]);
    expect(there).toEqual(here);
    expect(await other.identify({ headers: {}, address: '2001:db8:1:2::4' })).toEqual(here);
    now += 31 * 24 * 3_600_000;
    expect(await access.identify(request)).not.toEqual(here);
    await other.close();
  });

  test.each(['x', 'mq_live_', `mq_live_${'a'.repeat(38)}`])('the malformed key %j is refused', async (key) => {
    expect(await withKey(key)).toEqual({ kind: 'refused', reason: 'malformed' });
  });
});
