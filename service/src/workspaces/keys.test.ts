import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY_MS, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import {
  createKey,
  createWorkspace,
  findKeys,
  KeyLimitError,
  keyState,
  listKeys,
  type NewApiKey,
  revokeKey,
  rotateKey,
  systemRandom,
} from './index.ts';
import { announceExpiring } from './expiring.ts';
import { noteFirstUse } from './last-use.ts';

describe.each(ENGINES)('keys on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open('service');
  });

  afterAll(() => fresh.remove());

  test('a workspace has no more than a hundred keys in force, however many are asked for at once or by rotation', async () => {
    const deps = { database, clock: systemClock, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'ada-motors', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    const make = () => createKey(deps, { workspaceId, name: 'shop' }, 'cli:test');
    // One after another: a hundred that wait for a connection may wait longer than they are let.
    for (let made = 0; made < 90; made++) await make();
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, make));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(20);
    expect(refused.every(({ reason }) => reason instanceof KeyLimitError)).toBe(true);
    const keys = await listKeys(database, workspaceId, { limit: 200 });
    expect(keys).toHaveLength(100);

    const old = keys[0]?.id ?? '';
    await expect(rotateKey(deps, old, 'cli:test')).rejects.toThrow('Revoke one of the 100 keys first.');
    await revokeKey(deps, keys[1]?.id ?? '', 'cli:test');
    const rotated = await Promise.allSettled(Array.from({ length: 20 }, () => rotateKey(deps, old, 'cli:test')));
    expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const inForce = (await listKeys(database, workspaceId, { limit: 200 })).filter(
      ({ revokedAtMs }) => revokedAtMs === null,
    );
    expect(inForce).toHaveLength(100);
  });

  test('pages of a list have every key once, the revoked ones last, and of each kind the newest first', async () => {
    const deps = { database, clock: systemClock, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'many', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    const first = await createKey(deps, { workspaceId, name: 'first' }, 'cli:test');
    const row = await database.kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    // Several of one moment, on both sides of the ends of pages.
    const others = Array.from({ length: 40 }, (_, index) => ({
      ...row,
      id: `${row.id}-${String(index).padStart(2, '0')}`,
      hash: `${row.hash}-${index}`,
      created_at: row.created_at + 1 + Math.floor(index / 4),
      revoked_at: index % 2 === 0 ? null : row.created_at + 100 - index,
    }));
    await database.kysely.insertInto('api_keys').values(others).execute();
    const newest = others.toReversed().map(({ id, revoked_at: revoked }) => ({ id, isRevoked: revoked !== null }));
    const wanted = [
      ...newest.flatMap(({ id, isRevoked }) => (isRevoked ? [] : [id])),
      first.id,
      ...newest.flatMap(({ id, isRevoked }) => (isRevoked ? [id] : [])),
    ];
    for (const limit of [1, 3, 7, 21, 50]) {
      const read: string[] = [];
      for (let page = await listKeys(database, workspaceId, { limit }); page.length > 0;) {
        expect(page.length).toBeLessThanOrEqual(limit);
        read.push(...page.map(({ id }) => id));
        const { id = '', revokedAtMs = null } = page.at(-1) ?? {};
        page = await listKeys(database, workspaceId, { limit, after: { id, isRevoked: revokedAtMs !== null } });
      }
      expect(read).toEqual(wanted);
    }
    const other = await createWorkspace(deps, { slug: 'other', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (other.kind !== 'created') throw new Error(other.kind);
    expect(
      await listKeys(database, other.workspace.id, { limit: 9, after: { id: first.id, isRevoked: false } }),
    ).toEqual([]);
    expect((await findKeys(database, other.workspace.id, [first.id])).size).toBe(0);
    expect((await findKeys(database, workspaceId, [first.id, '', first.id])).get(first.id)?.name).toBe('first');
  });

  test('a key with an end is active until two weeks before it', async () => {
    const deps = { database, clock: systemClock, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'ending', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    const now = Date.now();
    const key = await createKey(deps, { workspaceId, name: 'shop', expiresAtMs: now + 15 * DAY_MS }, 'cli:test');
    const stateAfter = (days: number) => keyState(key, now + days * DAY_MS);
    expect([0, 2, 14, 15].map(stateAfter)).toEqual(['active', 'expires soon', 'expires soon', 'expired']);
    await revokeKey(deps, key.id, 'cli:test');
    const [revoked = key] = await listKeys(database, workspaceId, { limit: 1 });
    expect(keyState(revoked, now)).toBe('revoked');
  });

  test('owners are mailed once, a week before a key expires, and not of keys that end otherwise', async () => {
    const deps = { database, clock: systemClock, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'expiring', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    await addOwner(workspaceId, 'ada@example.com');
    const make = (name: string, days?: number) => {
      const ends = days === undefined ? {} : { expiresAtMs: Date.now() + days * DAY_MS };
      return createKey(deps, { workspaceId, name, ...ends }, 'cli:test');
    };
    await make('forever');
    await make('later', 8);
    await make('soon', 6);
    await make('over', -1);
    const replaced = await make('replaced', 5);
    const used = await rotateKey(deps, replaced.id, 'cli:test');
    const isUsed = database.kysely.updateTable('api_keys').set({ last_used_at: Date.now() });
    await isUsed.where('id', '=', used?.id ?? '').execute();
    await rotateKey(deps, (await make('unused', 5)).id, 'cli:test');
    await revokeKey(deps, (await make('revoked', 4)).id, 'cli:test');
    const replacement = await rotateKey(deps, (await make('kept', 3)).id, 'cli:test');
    await isUsed.where('id', '=', replacement?.id ?? '').execute();
    await revokeKey(deps, replacement?.id ?? '', 'cli:test');
    const mails = async (): Promise<string[]> =>
      (await database.kysely.selectFrom('mail_outbox').select('mail').execute()).map(({ mail }) => mail);
    let acts = 0;
    const recheck = async () => void (acts += 1);
    await announceExpiring({ ...deps, recheck });
    // On SQLite charges wait for an act: one for each key, also those of other tests.
    const first = acts;
    expect(first).toBeGreaterThan(1);
    const told = await mails();
    // The key that replaces another has its five days, too; the replaced one is told of as long as it is needed.
    const names = told.map((mail) => /The API key \\"(\w+)\\"/.exec(mail)?.[1] ?? '');
    expect(names.toSorted()).toEqual(['kept', 'replaced', 'soon', 'unused', 'unused']);
    expect(told[0]).toContain('ada@example.com');
    await announceExpiring({ ...deps, recheck });
    expect(acts).toBe(first);
    expect(await mails()).toEqual(told);
    await announceExpiring({ ...deps, clock: () => Date.now() + 2 * DAY_MS });
    expect(await mails()).toHaveLength(6);
  });

  test('a key that replaces one with an end has as long again, however often and fast it is replaced', async () => {
    const atMs = Date.now();
    const deps = { database, clock: () => atMs, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'rotating', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    for (let tries = 0; tries < 10; tries++) {
      const old = await createKey(deps, { workspaceId, name: 'a', expiresAtMs: atMs + 90 * DAY_MS }, 'cli:test');
      const next = await rotateKey(deps, old.id, 'cli:test');
      expect((next?.expiresAtMs ?? 0) - (next?.createdAtMs ?? 0)).toBe(90 * DAY_MS);
      await noteFirstUse(database, next?.id ?? '', atMs);
      const again = await rotateKey(deps, old.id, 'cli:test');
      expect((again?.expiresAtMs ?? 0) - (again?.createdAtMs ?? 0)).toBe(90 * DAY_MS);
    }
    const lasting = await createKey(deps, { workspaceId, name: 'b' }, 'cli:test');
    expect((await rotateKey(deps, lasting.id, 'cli:test'))?.expiresAtMs).toBeNull();
  });

  test('a key that replaces one whose replacement was replaced has its lifetime, not the rest of a grace period', async () => {
    let now = Date.now();
    // Each act at its own time.
    const deps = { database, clock: () => ++now, random: systemRandom };
    const made = await createWorkspace(deps, { slug: 'in-line', plan: 'free', limit: { kind: 'plan' } }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const workspaceId = made.workspace.id;
    const rotate = async ({ id }: { id: string }, uses: boolean): Promise<NewApiKey> => {
      const next = await rotateKey(deps, id, 'cli:test');
      if (next === undefined) throw new Error('The key has ended.');
      if (uses) await noteFirstUse(database, next.id, ++now);
      return next;
    };
    for (const lifetime of [undefined, 90 * DAY_MS]) {
      const ends = lifetime === undefined ? {} : { expiresAtMs: now + 1 + lifetime };
      const first = await createKey(deps, { workspaceId, name: 'a', ...ends }, 'cli:test');
      const second = await rotate(first, true);
      const third = await rotate(second, true);
      const others = [await rotate(first, true), await rotate(second, true), await rotate(third, false)];
      for (const key of [...others, await rotate(first, false)])
        expect(key.expiresAtMs).toBe(lifetime === undefined ? null : key.createdAtMs + lifetime);
    }
  });

  /** Makes a person who owns a workspace. */
  async function addOwner(workspaceId: string, email: string): Promise<void> {
    const now = new Date().toISOString();
    const verified = engine === 'sqlite' ? 1 : true;
    await database.kysely
      .insertInto('auth_users')
      .values({ id: email, name: 'Ada', email, email_verified: verified, created_at: now, updated_at: now })
      .execute();
    const member = { workspace_id: workspaceId, user_id: email, role: 'owner', created_at: Date.now() } as const;
    await database.kysely.insertInto('workspace_members').values(member).execute();
  }
});
