import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { createKey, createWorkspace, KeyLimitError, listKeys, revokeKey, rotateKey, systemRandom } from './index.ts';

describe.each(ENGINES)('keys on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open('service');
  });

  afterAll(() => fresh.remove());

  test('a workspace has no more than a hundred in force, however many are asked for at once or by rotation', async () => {
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
    const keys = await listKeys(database, workspaceId);
    expect(keys).toHaveLength(100);

    const old = keys[0]?.id ?? '';
    await expect(rotateKey(deps, old, 'cli:test')).rejects.toThrow('Revoke one of the 100 keys first.');
    await revokeKey(deps, keys[1]?.id ?? '', 'cli:test');
    const rotated = await Promise.allSettled(Array.from({ length: 20 }, () => rotateKey(deps, old, 'cli:test')));
    expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const inForce = (await listKeys(database, workspaceId)).filter(({ revokedAtMs }) => revokedAtMs === null);
    expect(inForce).toHaveLength(100);
  });
});
