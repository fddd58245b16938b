import { sql, type Transaction } from 'kysely';

import type { Schema } from '../db/index.ts';
import { type AuditAct, hashOfRecord } from './entry.ts';

/**
 * Waits for the transactions that append to be over, and keeps others waiting until this one is. What is read after it
 * is as the last one of them left it. Call it before anything else of a transaction that reads, decides and appends.
 */
export async function lockAuditLog(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq` })
    .where('id', '=', 1)
    .execute();
}

/**
 * Appends an entry in the transaction of what it tells of. Where that transaction locks anything else, it calls this or
 * `lockAuditLog` first, so that no two wait for each other.
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
    details: JSON.stringify(act.details),
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
