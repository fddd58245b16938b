import { sql } from 'kysely';

import type { Database } from '../db/index.ts';
import { type AuditEntry, hashOfRecord, NO_HASH } from './entry.ts';

/** What to list of the log. */
export interface AuditQuery {
  /** Only what was done to this. */
  subject?: string | undefined;
  /** Only what was done to the workspace with this name, or to one of its keys. */
  workspace?: string | undefined;
  /** Only actions of people whose name or address contains this. */
  actor?: string | undefined;
  /** Only acts whose name holds this: `report`, `report.accepted`. */
  action?: string | undefined;
  /** Only from this moment on. */
  fromMs?: number;
  /** Only before this moment. */
  untilMs?: number;
  /** Only entries before this place: for the next page. */
  before?: number;
  /** At most this many; default 100. */
  limit?: number;
}

/** Entries of the log, newest first. */
export async function listAudit(database: Database, query: AuditQuery = {}): Promise<AuditEntry[]> {
  let entries = database.kysely
    .selectFrom('audit_log')
    .select(['seq', 'at as atMs', 'actor', 'action', 'subject', 'details', 'hash'])
    .orderBy('seq', 'desc')
    .limit(query.limit ?? 100);
  if (query.subject !== undefined) entries = entries.where('subject', '=', query.subject);
  if (query.workspace !== undefined) entries = entries.where('subject', 'in', ofWorkspace(database, query.workspace));
  if (query.actor !== undefined) entries = entries.where('actor', 'like', holding(query.actor));
  if (query.action !== undefined) entries = entries.where('action', 'like', holding(query.action));
  if (query.fromMs !== undefined) entries = entries.where('at', '>=', query.fromMs);
  if (query.untilMs !== undefined) entries = entries.where('at', '<', query.untilMs);
  if (query.before !== undefined) entries = entries.where('seq', '<', query.before);
  const rows = await entries.execute();
  return rows.map((row) => Object.assign(row, { details: readDetails(row.details) }));
}

/** A workspace and its keys, as the log names them. */
function ofWorkspace({ kysely }: Database, slug: string) {
  const workspaces = kysely.selectFrom('workspaces').where('slug', '=', slug);
  return workspaces
    .select(sql<string>`'workspace:' || workspaces.id`.as('subject'))
    .unionAll(
      workspaces
        .innerJoin('api_keys', 'api_keys.workspace_id', 'workspaces.id')
        .select(sql<string>`'key:' || api_keys.id`.as('subject')),
    );
}

/** A pattern for what holds a text. Neither addresses nor names of acts hold what is a wildcard. */
function holding(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[%\\]/g, '')}%`;
}

function readDetails(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Whether the log is whole. `seq` is the first place where it is not. */
export type AuditFinding = { kind: 'whole'; entries: number } | { kind: 'broken'; seq: number; what: string };

/** Entries read at once. */
const PAGE = 1_000;

/** Follows the chain from its first entry to its head. Entries appended meanwhile do no harm. */
export async function verifyAudit(database: Database): Promise<AuditFinding> {
  // Read first: what is appended later is behind it.
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
    if (page.length === 0) return { kind: 'broken', seq: seq + 1, what: `Entry ${seq + 1} is missing.` };
  }
  if (hash !== head.hash)
    return { kind: 'broken', seq, what: `The last entry, ${seq}, is not the one that was written.` };
  const beyond = await database.kysely.selectFrom('audit_log').select('seq').where('seq', '<', 1).executeTakeFirst();
  if (beyond !== undefined) return { kind: 'broken', seq: beyond.seq, what: 'There is an entry before the first.' };
  return { kind: 'whole', entries: seq };
}
