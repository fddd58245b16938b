import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { inject } from 'vitest';

/**
 * An empty folder for the data of a service: in memory where the machine has room, since SQLite waits for the disk at
 * every commit. It is removed when the tests have run, if not before.
 */
export function dataFolder(): string {
  return mkdtempSync(join(inject('dataFolders'), 'data-'));
}
