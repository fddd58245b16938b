import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Kysely, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';

import { ENGINES, freshDatabase } from '../../testing/databases.ts';
import { StorageUnwritableError } from './refusal.ts';
import type { Schema } from './schema.ts';
import { openConnection } from './sqlite-connection.ts';
import { SqliteStorage } from './sqlite-storage.ts';
import { withoutSync } from './unsynced.ts';

const write = (db: Kysely<Schema>, topic: string): Promise<unknown> =>
  db.insertInto('change_counters').values({ topic, version: 1 }).execute();

describe.each(ENGINES)('on %s', (engine) => {
  test('a write without a sync is there for the next reader, and one that fails fails', async () => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    await withoutSync(database, (db) => write(db, 'first'));
    await expect(withoutSync(database, (db) => write(db, 'first'))).rejects.toThrow(/unique|duplicate/i);
    const rows = database.kysely.selectFrom('change_counters').select('version').where('topic', '=', 'first');
    expect(await rows.execute()).toEqual([{ version: 1 }]);
    await fresh.remove();
  });
});

test('on SQLite every commit waits for the disk, without stopping the process, but an unsynced one', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  if (database.engine !== 'sqlite') throw new Error('Another database was opened.');
  const { kysely } = database;
  await using file = await open('/dev/null');
  const synced = vi.spyOn(Object.getPrototypeOf(file), 'datasync');
  const count = async (work: () => Promise<unknown>): Promise<number> => {
    synced.mockClear();
    await work();
    return synced.mock.calls.length;
  };
  expect(await count(() => write(kysely, 'alone'))).toBe(1);
  expect(await count(() => kysely.transaction().execute((transaction) => write(transaction, 'within')))).toBe(1);
  expect(await count(() => kysely.selectFrom('change_counters').selectAll().execute())).toBe(0);
  expect(await count(() => kysely.deleteFrom('change_counters').where('topic', '=', 'none').execute())).toBe(0);
  expect(await count(() => withoutSync(database, (db) => write(db, 'unsynced')))).toBe(0);
  await expect(withoutSync(database, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await count(() => write(kysely, 'after'))).toBe(1);
  // SQLite itself would sync again, in this thread.
  expect((await sql`PRAGMA synchronous`.execute(kysely)).rows).toEqual([{ synchronous: 1 }]);
  synced.mockRejectedValueOnce(new Error('EIO'));
  await expect(write(kysely, 'last')).rejects.toThrow(StorageUnwritableError);
  // A part of the log may be missing on the disk: what is behind it would be lost, whatever later syncs say.
  const reader = openConnection(database.file, 0);
  reader.exec('BEGIN; SELECT * FROM change_counters');
  await expect(write(kysely, 'while others read')).rejects.toThrow(StorageUnwritableError);
  reader.close();
  await write(kysely, 'next');
  expect(statSync(`${database.file}-wal`).size).toBe(0);
  expect(await count(() => write(kysely, 'as before'))).toBe(1);
  synced.mockRestore();
  await fresh.remove();
});

test('a log that could not be opened for a sync is opened again for the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marque-log-'));
  writeFileSync(join(folder, 'marque.db'), '');
  const storage = new SqliteStorage(join(folder, 'marque.db'));
  await expect(storage.sync()).rejects.toThrow(StorageUnwritableError);
  writeFileSync(join(folder, 'marque.db-wal'), '');
  await storage.sync();
  await storage.close();
  rmSync(folder, { recursive: true });
});
