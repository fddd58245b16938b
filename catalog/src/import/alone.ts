import { mkdirSync } from 'node:fs';
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
      if (!isTaken(lock)) return { kind: 'refused', reason: REASON };
    }
    return await change();
  } finally {
    for (const lock of locks) lock.close();
  }
}

/** Opens the lock beside a place. @returns the reason where there can be none, as in a folder of someone else. */
function lockOf(place: string): Database.Database | { reason: string } {
  const folder = dirname(place);
  try {
    mkdirSync(folder, { recursive: true });
    return new Database(`${place}.lock`, { timeout: 0 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const advice = 'Run this as a user who may write there, or set CATALOG_FILE to another folder.';
    return { reason: `No file can be made in the folder ${folder} (${code}). ${advice}` };
  }
}

/** Takes a lock, which lasts until it is closed. @returns false if another one has it. */
function isTaken(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
