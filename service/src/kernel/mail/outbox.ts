import { getSystemErrorName } from 'node:util';

import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Database, Schema } from '../db/index.ts';
import {
  backoffMs,
  type Claimed,
  claimLeases,
  endFarPauses,
  type Lease,
  released,
  Worker,
  type WorkerOptions,
} from '../jobs/index.ts';
import { type Mail, type Mailer, UnconfirmedError } from './mailer.ts';

/** Longer than a mail server may take for one message: until then no other worker tries to send it. */
const LEASE_MS = 60_000;

/** Pauses double: after this many attempts, about two days, the message is out of date. */
const MAX_ATTEMPTS = 12;
const BACKOFF = { firstMs: 90_000, mostMs: 48 * 60 * 60_000 };

/** The pause after which a message that the server may have is sent once more. */
const UNCONFIRMED_PAUSE_MS = 60 * 60_000;

/** Enqueues a message in the transaction of the change that it reports. */
export async function enqueueMail(transaction: Transaction<Schema>, mail: Mail, atMs: number): Promise<void> {
  await transaction
    .insertInto('mail_outbox')
    .values({ id: v7({ msecs: atMs }), mail: JSON.stringify(mail), created_at: atMs, run_at: atMs })
    .execute();
}

/** Makes due messages that a clock that was ahead put off: someone may wait for a link. */
export function endMailPauses({ kysely }: Database, nowMs: number): Promise<void> {
  return endFarPauses(kysely, { table: 'mail_outbox', firstMs: 0, mostMs: BACKOFF.mostMs }, nowMs);
}

/** Claims messages that are due. */
export function claimMail(database: Database, limit: number, nowMs: number): Promise<Claimed<Lease>> {
  return claimLeases(database, {
    table: 'mail_outbox',
    key: 'id',
    limit,
    nowMs,
    leaseMs: LEASE_MS,
  });
}

/** The outcome of one message. */
type MailOutcome = { kind: 'sent' } | { kind: 'failed'; error: unknown; isGivenUp: boolean };

/** Sends one claimed message. It is deleted once it is sent or given up, because it contains an address. */
export async function deliverMail(
  { kysely }: Database,
  mailer: Pick<Mailer, 'send'>,
  { key, lockedBy }: Lease,
  nowMs: number,
  signal?: AbortSignal,
): Promise<MailOutcome> {
  const row = await kysely
    .selectFrom('mail_outbox')
    .select(['mail', 'attempts', 'last_error'])
    .where('id', '=', key)
    .executeTakeFirstOrThrow();
  try {
    const mail: Mail = JSON.parse(row.mail);
    await mailer.send(mail, signal);
  } catch (error) {
    const isUnconfirmed = error instanceof UnconfirmedError;
    const isStopped = signal?.aborted === true && !isUnconfirmed;
    const attempts = row.attempts + 1;
    const isTwice = isUnconfirmed && row.last_error === error.code;
    const isGivenUp = !isStopped && (attempts >= MAX_ATTEMPTS || isTwice || isAddressRefused(error));
    if (isGivenUp) await kysely.deleteFrom('mail_outbox').where('id', '=', key).execute();
    else {
      const pauseMs = isUnconfirmed ? UNCONFIRMED_PAUSE_MS : backoffMs(attempts, Math.random(), BACKOFF);
      await kysely
        .updateTable('mail_outbox')
        // The server's words may contain the address: only the kind of fault is kept.
        .set(isStopped ? released(nowMs) : { ...released(nowMs + pauseMs), attempts, last_error: codeOf(error) })
        .where('id', '=', key)
        .where('locked_by', '=', lockedBy)
        .execute();
    }
    return { kind: 'failed', error, isGivenUp };
  }
  await kysely.deleteFrom('mail_outbox').where('id', '=', key).execute();
  return { kind: 'sent' };
}

/**
 * Returns true if the server takes no mail for the address, now or later (RFC 5321, 4.2.3). What it refuses by its policy
 * (RFC 3463, 3.8), such as a sender that it does not relay for, may be a fault of its settings.
 */
function isAddressRefused(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error && 'response' in error)) return false;
  const { responseCode, command, response } = error;
  return command === 'RCPT TO' && NO_MAILBOX.has(Number(responseCode)) && !/\b5\.7\.\d/.test(String(response));
}

/** Statuses of a mailbox that is not there, is elsewhere, or cannot exist. */
const NO_MAILBOX: ReadonlySet<number> = new Set([550, 551, 553]);

/** Returns what a log may have of a failure: its kind, and the status of the mail server. */
function faultOf(error: unknown): { code: string; status?: unknown } {
  const code = codeOf(error);
  return error instanceof Error && 'responseCode' in error ? { code, status: error.responseCode } : { code };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  // The library says so only in its words. Those of the server's answers may name anything.
  if (!('responseCode' in error) && /certificate|altnames/i.test(error.message)) return 'certificate not trusted';
  // The library calls each fault of a connection ESOCKET.
  if ('errno' in error && typeof error.errno === 'number' && error.errno < 0) {
    return getSystemErrorName(error.errno);
  }
  return 'code' in error ? String(error.code) : 'failed';
}

/** The delay before a message is sent, on whichever instance it was enqueued: a person is waiting for its link. */
const POLL_MS = 1_000;

/** Messages sent at once, few to spare the mail server. */
const CONCURRENCY = 1;

/** The time that the server gets to confirm a message when an instance stops. */
const GRACE_MS = 10_000;

/** Returns a worker that sends messages. A failure is logged, without the address, and tried again. */
export function mailWorker({
  database,
  mailer,
  ...deps
}: Pick<WorkerOptions<Lease>, 'clock' | 'clockFault' | 'log' | 'watch'> & {
  database: Database;
  mailer: Pick<Mailer, 'send'>;
}) {
  const { clock, log } = deps;
  return new Worker<Lease>({
    ...deps,
    queue: 'mail',
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
    graceMs: GRACE_MS,
    endPauses: (nowMs) => endMailPauses(database, nowMs),
    claim: (limit) => claimMail(database, limit, clock()),
    run: async (lease, signal) => {
      const outcome = await deliverMail(database, mailer, lease, clock(), signal);
      if (outcome.kind === 'sent') return 'completed';
      // Not the error: a server's refusal names the address.
      log.warn({ ...faultOf(outcome.error), mail: lease.key, isGivenUp: outcome.isGivenUp }, 'mail not sent');
      return 'failed';
    },
  });
}

/** Deletes messages that wait to be sent and contain one of the texts: an address or a VIN. @returns their number. */
export async function deleteMessages(transaction: Transaction<Schema>, texts: readonly string[]): Promise<number> {
  const messages = await transaction.selectFrom('mail_outbox').select(['id', 'mail']).execute();
  const patterns = texts.map(patternOf);
  const isAbout = (mail: Mail): boolean =>
    patterns.some((pattern) => [mail.to, mail.subject, mail.text].some((part) => pattern.test(part)));
  const ids = messages.filter(({ mail }) => isAbout(JSON.parse(mail))).map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('mail_outbox').where('id', 'in', ids).execute();
  return ids.length;
}

/** Returns what finds a text; an address not within another one, which is someone else's: `joann@example.com.au`. */
function patternOf(text: string): RegExp {
  const exact = RegExp.escape(text);
  return new RegExp(
    text.includes('@') ? `(?<![\\p{L}\\p{N}._%+-])${exact}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])` : exact,
    'u',
  );
}
