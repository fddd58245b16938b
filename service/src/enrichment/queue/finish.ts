import type { Selectable, Transaction } from 'kysely';

import { newUuid7 } from '../../kernel/db/uuid7.ts';
import type { Database, Schema } from '../../kernel/db/index.ts';
import { backoffMs, type Lease, released } from '../../kernel/jobs/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import type { LookUp } from '../source.ts';
import { afterAnswer, afterFailure, type Health } from './breaker.ts';
import { notifyPending } from './pending.ts';
import { lockSource } from './claim.ts';

/** A completed look-up. */
interface Finished {
  job: Lease;
  /** The source. */
  source: string;
  result: LookUp;
  tookMs: number;
  /** All sources that cover the VIN, in the order in which they are asked. */
  covering: readonly string[];
}

interface At {
  nowMs: number;
  random: number;
  bounds: EnrichmentBounds;
}

/**
 * Stores the outcome of a look-up: the result, or when to try again, or the next source; and the source's health. All
 * in one transaction.
 *
 * `lost`: the lease has ended and another worker has the VIN. Only the look-up itself is recorded.
 */
export async function finishJob(database: Database, finished: Finished, at: At): Promise<'kept' | 'lost'> {
  return database.kysely.transaction().execute(async (transaction) => {
    const { job, source, result } = finished;
    const row = await transaction
      .selectFrom('enrichment_jobs')
      .selectAll()
      .where('vin', '=', job.key)
      .where('locked_by', '=', job.lockedBy)
      .forUpdate()
      .executeTakeFirst();
    const settled = row !== undefined && (await settleJob(transaction, row, finished, at));
    await noteHealth(transaction, finished, at);
    await transaction
      .insertInto('enrichment_lookups')
      .values({
        id: newUuid7(at.nowMs),
        source,
        outcome: result.kind,
        reason: result.kind === 'failed' ? result.reason : null,
        took_ms: Math.round(finished.tookMs),
        waited_ms: settled && result.kind !== 'failed' ? at.nowMs - row.created_at : null,
        created_at: at.nowMs,
      })
      .execute();
    return row === undefined ? 'lost' : 'kept';
  });
}

/** Releases a lease as if it had not been taken: another instance may claim the VIN at once. */
export async function releaseJob(database: Database, job: Lease, nowMs: number): Promise<void> {
  await database.kysely
    .updateTable('enrichment_jobs')
    .set(released(nowMs))
    .where('vin', '=', job.key)
    .where('locked_by', '=', job.lockedBy)
    .execute();
}

/** Stores the outcome of a look-up. Returns true if the VIN has its result now. */
async function settleJob(
  transaction: Transaction<Schema>,
  row: Selectable<Schema['enrichment_jobs']>,
  { source, result, covering }: Finished,
  { nowMs, random, bounds }: At,
): Promise<boolean> {
  if (result.kind === 'found') {
    const found = { source, answer: JSON.stringify(result.answer) };
    await settle(transaction, row.vin, found, nowMs, bounds.foundForMs);
    return true;
  }
  const failures = result.kind === 'failed' ? row.attempts + 1 : 0;
  const tried = [...row.tried.split(',').filter(Boolean), source];
  const step = nextStep(
    {
      failures,
      retryAfterMs: result.kind === 'failed' ? result.retryAfterMs : undefined,
      untried: covering.filter((name) => !tried.includes(name)),
      deadlineAtMs: row.deadline_at,
    },
    nowMs,
    random,
    bounds,
  );
  if (step.kind === 'give up') {
    const goodForMs = step.answered ? bounds.nothingForMs : bounds.unansweredForMs;
    await settle(transaction, row.vin, { source: null, answer: null }, nowMs, goodForMs);
    return true;
  }
  const next =
    step.kind === 'retry'
      ? { ...released(step.runAtMs), attempts: failures }
      : { ...released(nowMs), attempts: 0, source: step.source, tried: tried.join(',') };
  await transaction
    .updateTable('enrichment_jobs')
    .set({ ...next, last_error: result.kind === 'failed' ? result.reason : null })
    .where('vin', '=', row.vin)
    .execute();
  return false;
}

/** Stores the result of a VIN, notifies the workspaces that wait, and removes the job. The VIN is locked. */
export async function settle(
  transaction: Transaction<Schema>,
  vin: string,
  found: { source: string; answer: string } | { source: null; answer: null },
  nowMs: number,
  goodForMs: number,
): Promise<void> {
  const result = { ...found, settled_at: nowMs, expires_at: nowMs + goodForMs };
  await transaction
    .insertInto('enrichment_results')
    .values({ vin, ...result })
    .onConflict((conflict) => conflict.column('vin').doUpdateSet(result))
    .execute();
  await notifyPending(transaction, vin, found.answer === null ? 'nothing' : 'found', nowMs);
  await transaction.deleteFrom('enrichment_jobs').where('vin', '=', vin).execute();
}

async function noteHealth(
  transaction: Transaction<Schema>,
  { source, result }: Finished,
  { nowMs, bounds }: At,
): Promise<void> {
  const row = await lockSource(transaction, source);
  const before: Health = { failures: row.failures, closedUntilMs: row.closed_until };
  const after =
    result.kind === 'failed' ? afterFailure(before, result.retryAfterMs, nowMs, bounds) : afterAnswer(before, bounds);
  if (after.failures === before.failures && after.closedUntilMs === before.closedUntilMs) return;
  await transaction
    .updateTable('enrichment_sources')
    .set({ failures: after.failures, closed_until: after.closedUntilMs })
    .where('name', '=', source)
    .execute();
}

/** The next step for a VIN after a look-up that gave no result. */
type NextStep =
  | { kind: 'retry'; runAtMs: number }
  | { kind: 'other source'; source: string }
  /** No source is left. `answered`: at least the last one answered that it has no data for the VIN. */
  | { kind: 'give up'; answered: boolean };

/** A VIN after a look-up that gave no result. */
interface Unsettled {
  /** Failed look-ups at this source, the last one included; 0: it answered that it has no data. */
  failures: number;
  retryAfterMs: number | undefined;
  /** Sources that cover the VIN and were not asked yet. */
  untried: readonly string[];
  deadlineAtMs: number;
}

/**
 * Tries again where the look-up failed and time is left, later each time, at a random moment so that VINs that failed
 * together do not come back together; else the next source.
 *
 * @param random at least 0, below 1.
 */
export function nextStep(
  { failures, retryAfterMs = 0, untried, deadlineAtMs }: Unsettled,
  nowMs: number,
  random: number,
  bounds: Pick<EnrichmentBounds, 'attempts' | 'backoffMs' | 'mostBackoffMs'>,
): NextStep {
  if (failures > 0 && failures < bounds.attempts) {
    const pauseMs = backoffMs(failures, random, { firstMs: bounds.backoffMs, mostMs: bounds.mostBackoffMs });
    const runAtMs = nowMs + Math.max(retryAfterMs, pauseMs);
    if (runAtMs < deadlineAtMs) return { kind: 'retry', runAtMs };
  }
  const [source] = untried;
  return source === undefined ? { kind: 'give up', answered: failures === 0 } : { kind: 'other source', source };
}
