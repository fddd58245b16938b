import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'better-sqlite3';

const REASON =
  'Another import, preview, removal or build of the catalog is under way: repeat this one when it is done.';

/**
 * Changes files or folders while no other process does; else refuses it. Of two copies that are changed, the one put in
 * place last would lose what the other has. A process that is killed leaves no lock.
 */
export async function alone<Outcome>(
  places: readonly string[],
  change: () => Promise<Outcome>,
): Promise<Outcome | { kind: 'refused'; reason: string }> {
  const locks: Database.Database[] = [];
  try {
    for (const place of places) {
      const lock = lockOf(place);
      if ('reason' in lock) return { kind: 'refused', reason: lock.reason };
      locks.push(lock);
    }
    return await change();
  } finally {
    for (const lock of locks) lock.close();
  }
}

/** Takes the lock beside a place, which lasts until it is closed. @returns the reason where it cannot be taken. */
function lockOf(place: string): Database.Database | { reason: string } {
  const file = `${place}.lock`;
  let lock: Database.Database | undefined;
  try {
    mkdirSync(dirname(place), { recursive: true });
    // SQLite would open a file of somebody else for reading only, and that locks nothing.
    if (existsSync(file)) accessSync(file, constants.W_OK);
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code.startsWith('SQLITE_BUSY')) return { reason: REASON };
    if (code === 'SQLITE_NOTADB')
      return { reason: `${file} is not a lock file of Marque. Move it away, then try again.` };
    return {
      reason: `The file ${file} cannot be created or written (${code}). Run this as a user who may write there.`,
    };
  }
}
