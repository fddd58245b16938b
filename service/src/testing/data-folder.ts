import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable by which `global-setup.ts` tells the workers of a test run where folders for data are made. */
export const DATA_FOLDERS = 'MARQUE_TEST_DATA';

/**
 * An empty folder for the data of a service: in a test run in memory where the machine has room, since SQLite waits for the
 * disk at every commit, and removed when the tests have run; in a benchmark on the disk.
 */
export function dataFolder(): string {
  return mkdtempSync(join(process.env[DATA_FOLDERS] ?? tmpdir(), 'data-'));
}
