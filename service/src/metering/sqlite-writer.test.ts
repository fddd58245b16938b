import { statSync } from 'node:fs';

import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';

import { freshDatabase } from '../testing/databases.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** SQLite's numbers of how a transaction reaches the disk. */
const [NORMAL, FULL] = [1, 2];

test('a charge waits for the disk, whether or not a write before it did', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  if (database.engine !== 'sqlite') throw new Error('Another database was opened.');
  const { direct, file, storage } = database;
  direct.exec(`
    CREATE TABLE levels (level INTEGER);
    CREATE TRIGGER charged AFTER INSERT ON usage_counters
      BEGIN INSERT INTO levels SELECT synchronous FROM pragma_synchronous; END`);
  const writer = new SqliteWriter({ file, files: storage.files });
  const write = { sql: 'INSERT INTO levels SELECT synchronous FROM pragma_synchronous', parameters: [] };
  const charge = (subject: string) => {
    const decode = [`id of ${subject}`, null, '1HGCM82633A004352', 'identified', '{}', 1];
    const window = { windowStartMs: 0, windowEndMs: 2, limit: null };
    const group = { subject, ...window, sizes: [1], idempotency: [], decodes: decode };
    return writer.commit([{ groups: [group], free: [], earlierTries: 0 }]);
  };
  const committed = { kind: 'committed', results: [] };
  expect(writer.write(write)).toEqual(committed);
  expect(charge('public:a')).toEqual([{ kind: 'committed', results: [[1, 1]] }]);
  expect(charge('public:b')).toEqual([{ kind: 'committed', results: [[1, 1]] }]);
  expect(writer.write(write)).toEqual(committed);
  expect(writer.write({ sql: 'INSERT INTO nowhere VALUES (?)', parameters: [1] }).kind).toBe('failed');
  expect(charge('public:c')).toEqual([{ kind: 'committed', results: [[1, 1]] }]);
  expect(direct.prepare('SELECT level FROM levels').pluck().all()).toEqual([NORMAL, FULL, FULL, NORMAL, FULL]);
  await writer.close();
  await fresh.remove();
});

test('after a commit that the disk did not take, the next one is acknowledged once the log before it is in the file', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  if (database.engine !== 'sqlite') throw new Error('Another database was opened.');
  const { file, storage } = database;
  const writer = new SqliteWriter({ file, files: storage.files });
  const write = { sql: "INSERT INTO change_counters (topic, version) VALUES ('noted', 1)", parameters: [] };
  const nothing = [{ groups: [], free: [], earlierTries: 0 }];
  expect(writer.write(write)).toMatchObject({ kind: 'committed' });
  const before = statSync(`${file}-wal`).size;
  expect(before).toBeGreaterThan(0);
  const failed = vi.spyOn(SqliteCommits.prototype, 'commit').mockImplementationOnce(() => {
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  });
  expect(writer.commit(nothing)).toMatchObject([{ kind: 'unwritable' }]);
  expect(statSync(`${file}-wal`).size).toBe(before);
  expect(writer.commit(nothing)).toMatchObject([{ kind: 'committed' }]);
  expect(statSync(`${file}-wal`).size).toBe(0);
  failed.mockRestore();
  await writer.close();
  await fresh.remove();
});
