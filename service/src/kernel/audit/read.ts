import type { Database } from '../db/index.ts';
import type { AuditEntry } from './entry.ts';

/** What to list of the log. */
export interface AuditQuery {
  /** Only what was done to this. */
  subject?: string | undefined;
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
  if (query.actor !== undefined) entries = entries.where('actor', 'like', holding(query.actor));
  if (query.action !== undefined) entries = entries.where('action', 'like', holding(query.action));
  if (query.fromMs !== undefined) entries = entries.where('at', '>=', query.fromMs);
  if (query.untilMs !== undefined) entries = entries.where('at', '<', query.untilMs);
  if (query.before !== undefined) entries = entries.where('seq', '<', query.before);
  const rows = await entries.execute();
  return rows.map((row) => Object.assign(row, { details: readDetails(row.details) }));
}

/** A pattern for what holds a text. Neither addresses nor names of acts hold what is a wildcard. */
function holding(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[%\\]/g, '')}%`;
}

function readDetails(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
