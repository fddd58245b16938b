import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import { BATCH_ROWS, inBatches, removeInBatches } from '../../kernel/db/batches.ts';
import type { Database, Schema } from '../../kernel/db/index.ts';
import { released } from '../../kernel/jobs/index.ts';
import type { Usage } from '../../metering/index.ts';
import { DEFAULT_BOUNDS, type EnrichmentBounds } from '../bounds.ts';
import { settle } from './finish.ts';

/** The database's record of a VIN. */
type LookUpState =
  | { kind: 'found'; answer: string }
  /** No source has data for it, or none answered in time. */
  | { kind: 'nothing' }
  | { kind: 'waiting'; source: string; createdAtMs: number; deadlineAtMs: number; runAtMs: number }
  | { kind: 'new' };

/** Returns the stored result of a VIN, or whether it is queued. */
export async function findState({ kysely }: Database, vin: string, nowMs: number): Promise<LookUpState> {
  // The job first: a result stored between the two queries is then found by the second.
  const job = await kysely.selectFrom('enrichment_jobs').selectAll().where('vin', '=', vin).executeTakeFirst();
  if (job !== undefined) {
    const { source, created_at: createdAtMs, deadline_at: deadlineAtMs, run_at: runAtMs } = job;
    return deadlineAtMs <= nowMs
      ? { kind: 'nothing' }
      : { kind: 'waiting', source, createdAtMs, deadlineAtMs, runAtMs };
  }
  const result = await kysely
    .selectFrom('enrichment_results')
    .select('answer')
    .where('vin', '=', vin)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  if (result === undefined) return { kind: 'new' };
  return result.answer === null ? { kind: 'nothing' } : { kind: 'found', answer: result.answer };
}

/** A VIN to look up. */
interface LookUpRequest {
  vin: string;
  /** The first source to ask. */
  source: string;
  /** The caller's subject. */
  subject: string;
  /** True if it asks without a key: it comes after requests with one. */
  isPublic: boolean;
  /** `remaining` VINs may wait for the subject, and `limit` be asked for until `resetAtMs`; null: no limit. */
  usage: Usage;
}

/**
 * Adds a VIN to the queue, unless it or its result is there. `full`: the subject has its share of the queue, or as many look-ups as its
 * usage allows, those whose result it never fetched included.
 */
export async function enqueue(
  { kysely }: Database,
  { vin, source, subject, isPublic, usage }: LookUpRequest,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'jobs' | 'deadlineMs'>,
): Promise<'waiting' | 'full'> {
  const jobs = kysely.selectFrom('enrichment_jobs').select(countAll);
  const all = (await jobs.executeTakeFirst())?.count ?? 0;
  // Public requests may fill half of the queue: the other half is for those with a key.
  const free = (isPublic ? bounds.jobs / 2 : bounds.jobs) - all;
  const own = (await jobs.where('subject', '=', subject).executeTakeFirst())?.count ?? 0;
  // Who has more waiting than there is room left gets no more of it: the first takes half, the next half of that.
  if (own >= Math.min(free, usage.remaining ?? Infinity)) return 'full';
  if (usage.limit !== null && !(await countAsk(kysely, { subject, resetAtMs: usage.resetAtMs }, usage.limit))) {
    return 'full';
  }
  const result = kysely
    .selectFrom('enrichment_results')
    .select('vin')
    .where('vin', '=', vin)
    .where('expires_at', '>', nowMs);
  // In one statement: another instance may have stored the result since the caller looked for it.
  await kysely
    .insertInto('enrichment_jobs')
    .columns(['vin', 'source', 'subject', 'public', 'created_at', 'deadline_at', 'run_at'])
    .expression(
      kysely
        .selectNoFrom((build) => [
          build.val(vin).as('vin'),
          build.val(source).as('source'),
          build.val(subject).as('subject'),
          build.val(isPublic ? 1 : 0).as('public'),
          build.val(nowMs).as('created_at'),
          build.val(nowMs + bounds.deadlineMs).as('deadline_at'),
          build.val(nowMs).as('run_at'),
        ])
        .where((build) => build.not(build.exists(result))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return 'waiting';
}

/** Counts a look-up of a subject. @returns false, and counts nothing, if it has as many in this period as it may. */
async function countAsk(
  kysely: Kysely<Schema>,
  { subject, resetAtMs }: { subject: string; resetAtMs: number },
  most: number,
): Promise<boolean> {
  // One statement: of many at once, each sees those before it.
  const { numInsertedOrUpdatedRows: counted } = await kysely
    .insertInto('enrichment_asks')
    .values({ subject, reset_at: resetAtMs, asked: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'reset_at'])
        .doUpdateSet({ asked: sql<number>`enrichment_asks.asked + 1` })
        .where('enrichment_asks.asked', '<', most),
    )
    .executeTakeFirstOrThrow();
  return counted !== 0n;
}

const countAll = ({ fn }: ExpressionBuilder<Schema, 'enrichment_jobs'>) => fn.countAll<number>().as('count');

/**
 * Gives a waiting VIN to another source, when the one that it waits for is unknown here: the configuration changed.
 */
export async function reassign(
  { kysely }: Database,
  vin: string,
  from: string,
  to: string,
  nowMs: number,
): Promise<void> {
  await kysely
    .updateTable('enrichment_jobs')
    .set({ ...released(nowMs), source: to, attempts: 0 })
    .where('vin', '=', vin)
    .where('source', '=', from)
    .where('locked_until', '<=', nowMs)
    .execute();
}

/** Ends overdue look-ups, and removes what has expired, some at a time. @param signal ends it: it then rejects. */
export async function tidy(
  database: Database,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'unansweredForMs' | 'lookupsForMs'> = DEFAULT_BOUNDS,
  signal?: AbortSignal,
): Promise<void> {
  await endOverdue(database, nowMs, bounds, signal);
  const expired = sql<boolean>`expires_at <= ${nowMs}`;
  await removeInBatches(database, { table: 'enrichment_results', key: ['vin'], where: expired }, signal);
  const ended = sql<boolean>`reset_at <= ${nowMs}`;
  await removeInBatches(database, { table: 'enrichment_asks', key: ['subject', 'reset_at'], where: ended }, signal);
  const old = sql<boolean>`created_at < ${nowMs - bounds.lookupsForMs}`;
  await removeInBatches(database, { table: 'enrichment_lookups', key: ['id'], where: old }, signal);
}

/** Ends the look-up of VINs whose deadline has passed and that no worker has claimed. */
export async function endOverdue(
  { kysely }: Database,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'unansweredForMs'>,
  signal?: AbortSignal,
): Promise<void> {
  const overdue = (on: Kysely<Schema>) =>
    on.selectFrom('enrichment_jobs').select('vin').where('deadline_at', '<=', nowMs).where('locked_until', '<=', nowMs);
  await inBatches(async () => {
    // Reads without a lock: an idle instance must not block writers.
    if ((await overdue(kysely).limit(1).executeTakeFirst()) === undefined) return 0;
    return kysely.transaction().execute(async (transaction) => {
      const vins = await overdue(transaction).limit(BATCH_ROWS).forUpdate().execute();
      const unknown = { source: null, answer: null };
      for (const { vin } of vins) await settle(transaction, vin, unknown, nowMs, bounds.unansweredForMs);
      return vins.length;
    });
  }, signal);
}
