import type { Expression } from 'kysely';

import type { Database } from '../db/index.ts';
import type { AuditAct } from './append.ts';

/** One entry of the log. */
export interface AuditEntry extends AuditAct {
  /** Place in the log, from 1 on, without gaps. */
  seq: number;
  atMs: number;
  /** Hex SHA-256 over this entry and all before it. */
  hash: string;
}

/** A filter on the log. */
interface AuditQuery {
  /** Only acts on this. */
  subject?: string | undefined;
  /** Only acts on one of those that this query finds. */
  subjects?: Expression<string> | undefined;
  /** Only actions of people whose name or address contains this. */
  actor?: string | undefined;
  /** Only acts whose name contains this: `report`, `report.accepted`. */
  action?: string | undefined;
  /** Only from this moment on. */
  fromMs?: number;
  /** Only before this moment. */
  untilMs?: number;
  /** Only entries before this place: for the next page. */
  before?: number;
  /** The largest number of entries; default 100. */
  limit?: number;
}

/** Returns entries of the log, newest first. */
export async function listAudit(database: Pick<Database, 'kysely'>, query: AuditQuery = {}): Promise<AuditEntry[]> {
  let entries = database.kysely
    .selectFrom('audit_log')
    .select(['seq', 'at as atMs', 'actor', 'action', 'subject', 'details', 'hash'])
    .orderBy('seq', 'desc')
    .limit(query.limit ?? 100);
  if (query.subject !== undefined) entries = entries.where('subject', '=', query.subject);
  if (query.subjects !== undefined) entries = entries.where('subject', 'in', query.subjects);
  if (query.actor !== undefined) entries = entries.where('actor', 'like', holding(query.actor));
  if (query.action !== undefined) entries = entries.where('action', 'like', holding(query.action));
  if (query.fromMs !== undefined) entries = entries.where('at', '>=', query.fromMs);
  if (query.untilMs !== undefined) entries = entries.where('at', '<', query.untilMs);
  if (query.before !== undefined) entries = entries.where('seq', '<', query.before);
  const rows = await entries.execute();
  return rows.map((row) => Object.assign(row, { details: readDetails(row.details) }));
}

/** Returns a LIKE pattern for texts that contain a text. Neither addresses nor names of acts contain wildcards. */
function holding(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[%\\]/g, '')}%`;
}

function readDetails(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns a reference such as `workspace:ID`, as people read it: `workspace ada-motors`. */
export function named(reference: string, names: ReadonlyMap<string, string>): string {
  const [, kind, rest] = /^(\w+):(.*)$/s.exec(reference) ?? [];
  if (kind === undefined || rest === undefined) return names.get(reference) ?? reference;
  // People are known by their addresses alone.
  const name = names.get(rest) ?? rest;
  if (kind === 'person') return name;
  return kind === 'cli' ? `command line (${name})` : `${kind} ${name}`;
}
