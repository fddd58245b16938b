import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import { type Clock, MINUTE_MS } from '../clock.ts';
import { change } from '../db/changes.ts';
import { type Database, DatabaseUnavailableError, type Schema } from '../db/index.ts';
import type { Topic } from '../db/open.ts';
import { HttpError } from '../http/http-error.ts';
import { type FairBounds, FairQueue } from '../limits/fair-queue.ts';
import { ALLOWANCES, Throttle } from '../limits/throttle.ts';
import { type Actor, appendAudit, type AuditAct, lockAuditLog } from './append.ts';

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

/** The dependencies of an act. */
export interface ActDeps {
  database: Database;
  clock: Clock;
  /** Looks again, when it is the act's turn, whether its actor still may do it. @throws if not. */
  recheck?: ((transaction: Transaction<Schema>) => Promise<void>) | undefined;
}

/** Acts that end or take back what an earlier, counted one made: whatever was done before, they are not refused. */
const ENDING_ACTS = /\.(?:closed|disabled|removed|revoked|withdrawn)$/;

/**
 * Counts an entry of a person. Operators, schedules and reports are not counted here: reports have a limit of their own.
 * @throws HttpError 429 when the person has done too much; what the act has changed is then rolled back.
 */
async function countEntry(
  transaction: Transaction<Schema>,
  clock: Clock,
  { actor, action, subject }: Omit<AuditAct, 'details'>,
): Promise<void> {
  if (!actor.startsWith('person:') || ENDING_ACTS.test(action)) return;
  const throttle = new Throttle({ kysely: transaction }, clock);
  const wait = await (subject === actor || action.endsWith('.rotated')
    ? throttle.count(ALLOWANCES.ownAccount, `${actor} ${action}`)
    : throttle.count(ALLOWANCES.auditedByPerson, actor));
  if (wait === undefined) return;
  const minutes = Math.ceil((wait * 1_000) / MINUTE_MS);
  const text = `You made too many changes. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  throw new HttpError(429, text, { 'retry-after': String(wait) });
}

/**
 * Performs an action and records it in the audit log: either both are stored or neither.
 *
 * Actions are serialized across all instances: each reads the state that the one before it left. Limits on what actions
 * create rely on this and have no lock of their own: the keys, webhooks and members of a workspace, and a person's
 * foundings are counted in the act that adds one.
 *
 * @param topic what instances keep copies of and the act changes, if anything.
 */
export async function audited<T>(
  { database, clock, recheck }: ActDeps,
  actor: Actor,
  work: (act: Act) => Promise<T>,
  topic?: Topic,
): Promise<T> {
  const run = async (transaction: Transaction<Schema>): Promise<T> => {
    await lockAuditLog(transaction);
    await recheck?.(transaction);
    const atMs = clock();
    const appendEntry: Act['appendEntry'] = async (entry) => {
      await countEntry(transaction, clock, { actor, ...entry });
      return appendAudit(transaction, atMs, { actor, ...entry });
    };
    return work({ transaction, atMs, appendEntry });
  };
  const act = (): Promise<T> =>
    topic === undefined ? database.kysely.transaction().execute(run) : change(database, topic, run);
  let queue = QUEUES.get(database);
  if (queue === undefined) QUEUES.set(database, (queue = new FairQueue(ACTS_AT_ONCE)));
  const outcome = await queue.run({ id: actor, isPaid: !REPORTERS.test(actor) }, async () => {
    // On SQLite an act that is refused is one turn of the event loop: those of a crowd do not follow each other in it.
    if (database.engine === 'sqlite') await nextTurn();
    return act();
  });
  if (outcome.kind === 'refused') throw new DatabaseUnavailableError('Too many actions wait for the audit log.');
  return outcome.result;
}

/** Matches who reports wrong decodes: anyone may, from as many addresses as they have, so all others go first. */
const REPORTERS = /^(?:public|workspace):/;

/**
 * Acts of a process that are at the database, by actor: they wait for each other there anyway, and those of many
 * reporters at once would take every connection. While one works, the next one is at the lock.
 */
const ACTS_AT_ONCE: FairBounds = {
  all: 2,
  reserved: 1,
  perTenant: 2,
  waiting: 1_000,
  waitingPerTenant: 500,
  waitMs: 10_000,
};
const QUEUES = new WeakMap<Database, FairQueue>();
