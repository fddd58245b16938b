import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable by which `global-setup.ts` gives the workers of a test run the place of folders on the disk. */
export const DISK_FOLDERS = 'MARQUE_TEST_DISK';

/**
 * Returns an empty folder for the data of a service. In a test run temporary files are in memory where the machine has
 * room, since SQLite waits for the disk at every commit, and they are removed when the tests have run; in a benchmark
 * they are on the disk.
 */
export function dataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'data-'));
}

/**
 * Returns an empty folder on the disk, for hundreds of megabytes, and for files that are linked: no link leads from
 * memory to a disk.
 */
export function diskFolder(prefix: string): string {
  return mkdtempSync(join(process.env[DISK_FOLDERS] ?? tmpdir(), prefix));
}
