import { statSync } from 'node:fs';

import { expect, test } from 'vitest';

import { freshDatabase } from '../testing/databases.ts';
import { SqliteCheckpoints } from './sqlite-checkpoints.ts';

test('copies the log into the file beside the commits, once enough was committed', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  if (database.engine !== 'sqlite') throw new Error('Another database was opened.');
  const { direct, file, storage } = database;
  direct.pragma('wal_autocheckpoint = 0');
  direct.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (randomblob(1000000))');
  const size = (): number => statSync(file).size;
  const before = size();
  const checkpoints = new SqliteCheckpoints({ file, files: storage.files });
  for (let commit = 0; commit < 200; commit++) checkpoints.committed(1, 30);
  await expect.poll(size).toBeGreaterThan(before + 1_000_000);
  await checkpoints.close();
  await fresh.remove();
});
