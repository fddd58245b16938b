import { sql, type Transaction } from 'kysely';

import type { Clock } from '../clock.ts';
import { change } from '../db/changes.ts';
import type { Database, Schema } from '../db/index.ts';
import type { Topic } from '../db/open.ts';
import { type Actor, type AuditAct, hashOfRecord } from './entry.ts';

/**
 * An action being written to the database and the audit log. Only `audited` creates one: a function that takes it can
 * only run in the transaction that its entry is in.
 */
export interface Act {
  readonly transaction: Transaction<Schema>;
  /** When it is done, by the clock of the service. */
  readonly atMs: number;
  /** Appends an entry to the log. @returns its position. */
  readonly appendEntry: (entry: Omit<AuditAct, 'actor'>) => Promise<number>;
}

/** What an act needs. */
export interface ActDeps {
  database: Database;
  clock: Clock;
}

/**
 * Performs an action and records it in the audit log: either both are stored or neither.
 *
 * Actions are serialized across all instances: each reads the state that the one before it left. Limits on what actions
 * create rely on this and have no lock of their own: the keys, webhooks and members of a workspace, and a person's foundings
 * are counted in the act that adds one.
 *
 * @param topic what instances keep copies of and the act changes, if anything.
 */
export async function audited<T>(
  { database, clock }: ActDeps,
  actor: Actor,
  work: (act: Act) => Promise<T>,
  topic?: Topic,
): Promise<T> {
  const run = async (transaction: Transaction<Schema>): Promise<T> => {
    await lockAuditLog(transaction);
    const atMs = clock();
    return work({ transaction, atMs, appendEntry: (entry) => appendAudit(transaction, atMs, { actor, ...entry }) });
  };
  return topic === undefined ? database.kysely.transaction().execute(run) : change(database, topic, run);
}

/**
 * Waits for the transactions that append to be over, and keeps others waiting until this one is. What is read after it
 * is as the last one of them left it. Call it before anything else of a transaction that reads, decides and appends.
 */
async function lockAuditLog(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq` })
    .where('id', '=', 1)
    .execute();
}

/**
 * Appends an entry in the transaction of the action that it records. Where that transaction locks anything else, it calls this or
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
