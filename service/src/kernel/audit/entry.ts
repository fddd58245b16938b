import { createHash } from 'node:crypto';

import type { Selectable } from 'kysely';

import type { Schema } from '../db/index.ts';

/**
 * Who does something: `admin:EMAIL`, `person:EMAIL`, `cli:USER` (of the operating system), `billing:stripe`, `service:SCHEDULE`; of
 * reports also their senders, `workspace:ID` and `public:ID`.
 */
export type Actor = `${'admin' | 'person' | 'cli' | 'billing' | 'service' | 'workspace' | 'public'}:${string}`;

/** One action in the audit log. */
export interface AuditAct {
  /** Who: an `Actor`. */
  actor: string;
  /** What was done, as thing and verb: `report.accepted`. */
  action: string;
  /** What it was done to: `report:ID`. */
  subject: string;
  /** Anything that explains it; stored as JSON. */
  details: Readonly<Record<string, unknown>>;
}

/** One entry of the log. */
export interface AuditEntry extends AuditAct {
  /** Place in the log, from 1 on, without gaps. */
  seq: number;
  atMs: number;
  /** Hex SHA-256 over this entry and all before it. */
  hash: string;
}

/** An entry as it is stored, without its hash. */
export type AuditRecord = Omit<Selectable<Schema['audit_log']>, 'hash'>;

/** What the head holds before the first entry. */
export const NO_HASH = '';

/** The hash of an entry: over every stored field in a fixed order, the hash before it among them. */
export function hashOfRecord(record: AuditRecord): string {
  const { seq, at, actor, action, subject, details, previous_hash } = record;
  const text = JSON.stringify([seq, at, actor, action, subject, details, previous_hash]);
  return createHash('sha256').update(text).digest('hex');
}
