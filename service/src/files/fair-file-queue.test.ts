import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { released } from '../kernel/jobs/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { createWorkspace, type Plan } from '../workspaces/index.ts';
import { takeFile } from './store.ts';
import { FairFileQueue } from './fair-file-queue.ts';

const NOW = Date.UTC(2026, 4, 20);
const clock = () => NOW;

describe.each(ENGINES)('files that wait on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let turns: FairFileQueue;
  let names: Map<string, string>;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    turns = new FairFileQueue(database);
    names = new Map();
  });

  afterEach(() => fresh.remove());

  async function workspace(slug: string, plan: Plan = 'business'): Promise<string> {
    const limit = { kind: 'none' } as const;
    const created = await createWorkspace({ database, clock }, { slug, plan, limit }, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    return created.workspace.id;
  }

  async function send(workspaceId: string, name: string, rows: number): Promise<void> {
    const text = Array.from({ length: rows }, (_, index) => `1HGCM82633A${100_000 + index}`).join('\n');
    const taken = await takeFile(
      { database, clock },
      { workspaceId, createdBy: 'test', name, content: text, column: '' },
    );
    if (taken.kind !== 'taken') throw new Error(taken.kind);
    names.set(taken.id, name);
  }

  /**
   * Returns the names of the files whose turn it is, one after the other; of each some rows are decoded in its turn.
   */
  async function order(count: number, rowsInATurn: number): Promise<(string | undefined)[]> {
    const served: (string | undefined)[] = [];
    for (let turn = 0; turn < count; turn++) {
      const { jobs } = await turns.claim(NOW, 1_000);
      const id = jobs[0]?.key ?? '';
      served.push(names.get(id));
      const file = await database.kysely
        .selectFrom('vin_files')
        .select(['done', 'row_count'])
        .where('id', '=', id)
        .executeTakeFirst();
      const [done, rows] = [(file?.done ?? 0) + rowsInATurn, file?.row_count ?? 0];
      const state = done >= rows ? 'completed' : 'running';
      await database.kysely
        .updateTable('vin_files')
        .set({ ...released(NOW), state, done })
        .where('id', '=', id)
        .execute();
    }
    return served;
  }

  test('go by turns of their workspaces, and in each the one with the fewest rows left comes first', async () => {
    const [one, two] = [await workspace('one'), await workspace('two')];
    await send(one, 'one, long', 30);
    await send(one, 'one, short', 10);
    await send(two, 'two', 20);
    const served = await order(7, 10);
    // The workspace that begins is not determined: none has had a turn.
    const expected = { one: ['one, short', 'one, long', 'one, long', 'one, long'], two: ['two', 'two'] };
    expect(served.filter((name) => name?.startsWith('one'))).toEqual(expected.one);
    expect(served.filter((name) => name === 'two')).toEqual(expected.two);
    expect(
      served
        .slice(0, 4)
        .map((name) => name?.slice(0, 3))
        .toSorted((a = '', b = '') => a.localeCompare(b)),
    ).toEqual(['one', 'one', 'two', 'two']);
    expect(served[6]).toBeUndefined();
  });

  test('of a workspace that has many files do not come before the one of another', async () => {
    const [many, few] = [await workspace('many'), await workspace('few')];
    for (let count = 0; count < 5; count++) await send(many, `many ${count}`, 1);
    await order(1, 1);
    await send(few, 'few', 100);
    const served = await order(4, 1);
    expect(served.filter((name) => name === 'few')).toHaveLength(2);
  });

  test('of workspaces that pay have half of the turns, however many free ones have files', async () => {
    for (let count = 0; count < 6; count++) await send(await workspace(`free-${count}`, 'free'), `free ${count}`, 9);
    await send(await workspace('paid'), 'paid', 4);
    const served = await order(12, 1);
    expect(served.slice(0, 8).filter((name) => name === 'paid')).toHaveLength(4);
    expect(new Set(served.filter((name) => name !== 'paid')).size).toBe(6);
  });

  test('end the turn of another, unless they are of the same workspace and longer', async () => {
    const [one, two] = [await workspace('one'), await workspace('two')];
    await send(one, 'one', 20);
    const { jobs } = await turns.claim(NOW, 1_000);
    const own = { id: jobs[0]?.key ?? '', workspaceId: one, left: 10 };
    expect(await turns.shouldYield(own, NOW)).toBe(false);
    await send(one, 'one, longer', 30);
    expect(await turns.shouldYield(own, NOW)).toBe(false);
    await send(one, 'one, shorter', 5);
    expect(await turns.shouldYield(own, NOW)).toBe(true);
    await order(1, 5);
    expect(await turns.shouldYield(own, NOW)).toBe(false);
    await send(two, 'two', 1_000);
    expect(await turns.shouldYield(own, NOW)).toBe(true);
  });
});
