import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openDatabase } from '../../database.ts';

let parent: string;
let dataDir: string;
let umask: number;

beforeEach(() => {
  // The default of most systems: everybody may read new files.
  umask = process.umask(0o022);
  parent = mkdtempSync(join(tmpdir(), 'marque-private-'));
  dataDir = join(parent, 'data');
});

afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true });
});

const modes = (): Record<string, number> =>
  Object.fromEntries(['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]));

const OWNERS = {
  '.': 0o700,
  'marque.db': 0o600,
  'marque.db-shm': 0o600,
  'marque.db-wal': 0o600,
  'service.lock': 0o600,
  'service.lock-journal': 0o600,
};

test.runIf(process.platform !== 'win32')('only its owner can open a new data folder or read a file in it', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined }, 'service');
  expect(modes()).toEqual(OWNERS);
  await database.close();
});

test.runIf(process.platform !== 'win32')('a data folder that was left open is closed at the start', async () => {
  mkdirSync(dataDir);
  const before = await openDatabase({ dataDir, databaseUrl: undefined }, 'service');
  for (const name of ['marque.db', 'marque.db-wal', 'service.lock']) chmodSync(join(dataDir, name), 0o644);
  await before.close();
  chmodSync(dataDir, 0o755);
  const database = await openDatabase({ dataDir, databaseUrl: undefined }, 'service');
  expect(modes()).toEqual(OWNERS);
  await database.close();
});

test.runIf(process.platform !== 'win32')(
  'an open folder with more than the database is refused with advice, and left as it is',
  async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'letters.txt'), '');
    await expect(openDatabase({ dataDir, databaseUrl: undefined }, 'service')).rejects.toThrow(
      `or close this one: chmod 700 ${dataDir}`,
    );
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    expect(readdirSync(dataDir)).toEqual(['letters.txt']);
    chmodSync(dataDir, 0o700);
    await (await openDatabase({ dataDir, databaseUrl: undefined }, 'service')).close();
  },
);

test('a damaged database is refused with advice', async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'marque.db'), 'This is no database, and long enough to be taken for one at first sight.');
  await expect(openDatabase({ dataDir, databaseUrl: undefined }, 'service')).rejects.toThrow(/restore a backup/);
});
