import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Database, Schema } from '../db/index.ts';
import { backoffMs, type Claimed, claimLeases, type Lease, released } from '../jobs/index.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Longer than a mail server may take for one message: until then no other worker tries to send it. */
const LEASE_MS = 60_000;

/** Pauses double: after this many attempts, about two days, the message is out of date. */
const MAX_ATTEMPTS = 12;
const BACKOFF = { firstMs: 90_000, mostMs: 48 * 60 * 60_000 };

/** Enqueues a message in the transaction of the change that it reports. */
export async function enqueueMail(transaction: Transaction<Schema>, mail: Mail, atMs: number): Promise<void> {
  await transaction
    .insertInto('mail_outbox')
    .values({ id: v7({ msecs: atMs }), mail: JSON.stringify(mail), created_at: atMs, run_at: atMs })
    .execute();
}

/** Claims messages that are due. */
export function claimMail(database: Database, limit: number, nowMs: number): Promise<Claimed<Lease>> {
  return claimLeases(database, { table: 'mail_outbox', key: 'id', limit, nowMs, leaseMs: LEASE_MS });
}

/** The outcome of one message. */
export type MailOutcome = { kind: 'sent' } | { kind: 'failed'; error: unknown; isGivenUp: boolean };

/** Sends one claimed message. It is deleted once it is sent or given up, because it contains an address. */
export async function deliverMail(
  { kysely }: Database,
  mailer: Pick<Mailer, 'send'>,
  { key, lockedBy }: Lease,
  nowMs: number,
): Promise<MailOutcome> {
  const row = await kysely
    .selectFrom('mail_outbox')
    .select(['mail', 'attempts'])
    .where('id', '=', key)
    .executeTakeFirstOrThrow();
  try {
    const mail: Mail = JSON.parse(row.mail);
    await mailer.send(mail);
  } catch (error) {
    const attempts = row.attempts + 1;
    const isGivenUp = attempts >= MAX_ATTEMPTS;
    if (isGivenUp) await kysely.deleteFrom('mail_outbox').where('id', '=', key).execute();
    else {
      const runAtMs = nowMs + backoffMs(attempts, Math.random(), BACKOFF);
      await kysely
        .updateTable('mail_outbox')
        // The server's words may hold the address: what is kept is the kind of fault.
        .set({ ...released(runAtMs), attempts, last_error: codeOf(error) })
        .where('id', '=', key)
        .where('locked_by', '=', lockedBy)
        .execute();
    }
    return { kind: 'failed', error, isGivenUp };
  }
  await kysely.deleteFrom('mail_outbox').where('id', '=', key).execute();
  return { kind: 'sent' };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
