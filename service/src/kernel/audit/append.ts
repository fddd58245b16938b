import { createHash } from 'node:crypto';

import { type Selectable, sql, type Transaction } from 'kysely';

import type { Schema } from '../db/index.ts';
import { maskVinsIn } from '../mask-vin.ts';

/**
 * The actor of an act: `admin:EMAIL`, `person:EMAIL`, `cli:USER` (of the operating system), `billing:stripe`,
 * `service:SCHEDULE`; for reports also their senders, `workspace:ID` and `public:ID`.
 */
export type Actor = `${'admin' | 'person' | 'cli' | 'billing' | 'service' | 'workspace' | 'public'}:${string}`;

/** One action in the audit log. */
export interface AuditAct {
  /** An `Actor`. */
  actor: string;
  /** The act, as thing and verb: `report.accepted`. */
  action: string;
  /** The thing that it was done to: `report:ID`. */
  subject: string;
  /** Anything that explains it; stored as JSON. */
  details: Readonly<Record<string, unknown>>;
}

/** A stored entry without its hash. */
type AuditRecord = Omit<Selectable<Schema['audit_log']>, 'hash'>;

/** Returns the hash of an entry: over every stored field in a fixed order, the hash before it among them. */
export function hashOfRecord(record: AuditRecord): string {
  const { seq, at, actor, action, subject, details, previous_hash } = record;
  const text = JSON.stringify([seq, at, actor, action, subject, details, previous_hash]);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Waits until other transactions that append are over, and makes later ones wait for this one, so that later reads see
 * the final state of the last of them. Call it before anything else of a transaction that reads, decides and appends.
 */
export async function lockAuditLog(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq` })
    .where('id', '=', 1)
    .execute();
}

/**
 * Appends an entry in the transaction of the action that it records. Where that transaction locks anything else, it
 * calls this or `lockAuditLog` first, so that no two wait for each other.
 *
 * @returns the entry's place in the log: transactions that append get theirs in the order of their commits.
 */
export async function appendAudit(transaction: Transaction<Schema>, atMs: number, act: AuditAct): Promise<number> {
  // The update locks the row until the transaction ends; the hash that it gives is the last committed one.
  const head = await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq + 1` })
    .where('id', '=', 1)
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  const record = {
    seq: head.seq,
    at: atMs,
    actor: act.actor,
    action: act.action,
    subject: act.subject,
    // Nothing is erased from the log.
    details: JSON.stringify(act.details, (_name, part: unknown) =>
      typeof part === 'string' ? maskVinsIn(part) : part,
    ),
    previous_hash: head.hash,
  };
  const hash = hashOfRecord(record);
  await transaction
    .insertInto('audit_log')
    .values({ ...record, hash })
    .execute();
  await transaction.updateTable('audit_head').set({ hash }).where('id', '=', 1).execute();
  return head.seq;
}
