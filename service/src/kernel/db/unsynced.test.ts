import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { ENGINES, freshDatabase } from '../../testing/databases.ts';
import { withoutSync } from './unsynced.ts';

const FULL = 2;

describe.each(ENGINES)('on %s', (engine) => {
  test('a write without a sync is there for the next reader, and one that fails fails', async () => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const write = (topic: string): Promise<unknown> =>
      withoutSync(database, (db) => db.insertInto('change_counters').values({ topic, version: 1 }).execute());
    await write('first');
    await expect(write('first')).rejects.toThrow(/unique|duplicate/i);
    const rows = database.kysely.selectFrom('change_counters').select('version').where('topic', '=', 'first');
    expect(await rows.execute()).toEqual([{ version: 1 }]);
    await fresh.remove();
  });
});

test('on SQLite every other write waits for the disk, whether an unsynced one fails or not', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const level = async (): Promise<unknown> => (await sql`PRAGMA synchronous`.execute(database.kysely)).rows[0];
  const [during] = await Promise.all([
    withoutSync(database, async (db) => (await sql`PRAGMA synchronous`.execute(db)).rows[0]),
    expect(level()).resolves.toEqual({ synchronous: FULL }),
    expect(withoutSync(database, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken'),
  ]);
  expect(during).toEqual({ synchronous: 1 });
  expect(await level()).toEqual({ synchronous: FULL });
  await fresh.remove();
});
