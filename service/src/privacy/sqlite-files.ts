import { setTimeout as sleep } from 'node:timers/promises';

import type { Database, SqliteDatabase } from '../kernel/db/index.ts';
import { type Part, partsIn, partsWith, rewrite } from '../kernel/db/unused-space.ts';
import { maskVinIn } from '../kernel/mask-vin.ts';
import type { PrivacySubject } from '../kernel/privacy.ts';
import { erasedSlug } from '../workspaces/index.ts';
import { AUDIT } from './mentions.ts';

/** The number of tries: readers lock the log for milliseconds. */
const LOG_TRIES = 100;
const LOG_PAUSE_MS = 20;

/**
 * Bytes of the largest tables that are written anew, or made an index from: charges wait meanwhile, a few seconds,
 * and are refused after five.
 */
const MOST_BYTES: Readonly<Record<Part['type'], number>> = { table: 67_108_864, index: 1_073_741_824 };

/**
 * Charges wait while tables are written anew: after so long they get as long a pause, and no shorter one than SQLite
 * needs to notice that it may write.
 */
const HELD_MS = 100;
const PAUSE_MS = 500;

/**
 * Takes out of SQLite's files what an erasure leaves there though no row has it: in the log, and in unused space.
 *
 * @returns what is left and what to do about it; empty: nothing is.
 */
export async function cleanFiles(database: Database, subject: PrivacySubject, mostBytes = MOST_BYTES): Promise<string> {
  if (database.engine !== 'sqlite') return '';
  if (!(await emptyLog(database))) return logIsRead(subject);
  const found = await staleParts(database, subject);
  if (found.length === 0) return '';
  const kept: Part[] = [];
  let heldMs = 0;
  for (const part of found) {
    const beganMs = performance.now();
    if (part.bytes > mostBytes[part.type] || !rewrite(database, part)) kept.push(part);
    heldMs += performance.now() - beganMs;
    if (heldMs < HELD_MS) continue;
    await sleep(Math.max(PAUSE_MS, heldMs));
    heldMs = 0;
  }
  if (!(await emptyLog(database))) return logIsRead(subject);
  const left = subject.kind === 'vin' ? await staleParts(database, subject) : kept;
  if (left.length === 0) return '';
  const isLarge = left.some(({ type, bytes }) => bytes > mostBytes[type]);
  return unusedSpaceOf(left, isLarge, subject);
}

/**
 * Returns the tables and indexes to be rewritten: those that have the VIN in their unused space, or all tables, since
 * nobody knows any more what a workspace had.
 */
async function staleParts(database: SqliteDatabase, subject: PrivacySubject): Promise<Part[]> {
  const parts =
    subject.kind === 'vin'
      ? await partsWith(database, (text) => isMentioned(text, subject.vin))
      : await partsIn(database);
  // Nothing is ever erased from the audit log.
  return parts.filter(({ table }) => !AUDIT.includes(table));
}

/** Escapes of JSON. */
const ESCAPE = /\\+(?:u([\da-fA-F]{4})|[bfnrt])/g;

/** Returns whether bytes of the file have a VIN in any form that an erasure masks, be it in a part of some JSON. */
function isMentioned(text: string, vin: string): boolean {
  const read = text.replaceAll(ESCAPE, (_, code?: string) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return [text, read].some((each) => maskVinIn(each, vin) !== each);
}

/** Returns the command that erases once more: a workspace has another name by then. */
export function againAfter(subject: PrivacySubject): string {
  return subject.kind === 'vin'
    ? 'this command again'
    : `marque privacy erase --workspace ${erasedSlug(subject.id)} --yes`;
}

function logIsRead(subject: PrivacySubject): string {
  return `Something, such as a backup, is reading the database: until it ends, the log (marque.db-wal) keeps this data. Then run ${againAfter(subject)}\n`;
}

function unusedSpaceOf(parts: readonly Part[], isLarge: boolean, subject: PrivacySubject): string {
  const tables = [...new Set(parts.map(({ table }) => table))].join(', ');
  const left = subject.kind === 'vin' ? 'This VIN is' : 'Copies of this data may be';
  const what = isLarge
    ? 'too large to be written anew beside a service. Restore a new backup in place of the file: see docs/privacy.md.'
    : `others wrote all the time. Run ${againAfter(subject)}.`;
  return `${left} left in unused space of marque.db, in ${tables}: ${what}\n`;
}

/**
 * Empties SQLite's log. SQLite overwrites deleted data in its file; the log keeps them until it is copied into the file
 * and emptied, which waits for those who read.
 *
 * @returns false: someone read for longer than this waits.
 */
async function emptyLog(database: SqliteDatabase): Promise<boolean> {
  for (let tries = 0; tries < LOG_TRIES; tries++) {
    const isBusy = database.direct.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
    if (!isBusy) return true;
    await sleep(LOG_PAUSE_MS);
  }
  return false;
}
