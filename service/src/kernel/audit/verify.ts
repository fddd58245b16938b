import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Database } from '../db/index.ts';
import { hashOfRecord } from './append.ts';

/** The head's hash before the first entry. */
const NO_HASH = '';

/** The result of verifying the log. `seq` is the first position where it is broken. */
export type AuditFinding = { kind: 'whole'; entries: number } | { kind: 'broken'; seq: number; what: string };

/** Entries read at once. */
const PAGE = 1_000;

/** Follows the chain from its first entry to its head. Entries appended concurrently do no harm. */
export async function verifyAudit(database: Database): Promise<AuditFinding> {
  // Read first: later entries are behind it.
  const head = await database.kysely.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst();
  if (head === undefined) return { kind: 'broken', seq: 0, what: 'The head of the log is missing.' };
  let seq = 0;
  let hash = NO_HASH;
  while (seq < head.seq) {
    const page = await database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', seq)
      .where('seq', '<=', head.seq)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    for (const record of page) {
      seq++;
      if (record.seq !== seq) return { kind: 'broken', seq, what: `Entry ${seq} is missing.` };
      if (record.previous_hash !== hash) {
        return { kind: 'broken', seq, what: `Entry ${seq} does not follow the one before it.` };
      }
      hash = hashOfRecord(record);
      if (record.hash !== hash) return { kind: 'broken', seq, what: `Entry ${seq} was changed after it was written.` };
    }
    // On SQLite, reading alone would never let a request in between.
    await nextTurn();
    if (page.length === 0) return { kind: 'broken', seq: seq + 1, what: `Entry ${seq + 1} is missing.` };
  }
  if (hash !== head.hash)
    return { kind: 'broken', seq, what: `The last entry, ${seq}, is not the one that was written.` };
  const beyond = await database.kysely.selectFrom('audit_log').select('seq').where('seq', '<', 1).executeTakeFirst();
  if (beyond !== undefined) return { kind: 'broken', seq: beyond.seq, what: 'There is an entry before the first.' };
  return { kind: 'whole', entries: seq };
}
