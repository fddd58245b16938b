import { type Selectable, sql, type Transaction } from 'kysely';

import type { Database, Schema } from '../../kernel/db/index.ts';
import { claim, type Claimed, type Lease, nextRunAt } from '../../kernel/jobs/index.ts';
import type { FairOrder } from '../../kernel/limits/fair-order.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import type { Source } from '../source.ts';
import { stateOf } from './breaker.ts';

type Claimant = Pick<Source, 'name' | 'rateLimit' | 'timeoutMs'>;

/**
 * Claims at most `limit` VINs for a source, as many as its rate limit and its health allow. A lease lasts until the
 * look-up must be over.
 *
 * @param order the turns of those who asked: VINs of one do not come before the next one's.
 */
export async function claimJobs(
  database: Database,
  source: Claimant,
  limit: number,
  nowMs: number,
  bounds: EnrichmentBounds,
  order: FairOrder,
): Promise<Claimed<Lease>> {
  // Reads without a lock: an idle instance must not block writers.
  const runAtMs = await nextRunAt(database.kysely, 'enrichment_jobs', askable(source.name, nowMs));
  if (runAtMs > nowMs) return { jobs: [], notBeforeMs: runAtMs };
  return database.kysely.transaction().execute(async (transaction): Promise<Claimed<Lease>> => {
    const row = await lockSource(transaction, source.name);
    const state = stateOf({ failures: row.failures, closedUntilMs: row.closed_until }, nowMs, bounds);
    if (state === 'resting') return { jobs: [], notBeforeMs: row.closed_until };
    const rateLimit = { nextSlotAtMs: row.next_slot_at };
    const slots = takeSlots(rateLimit, source.rateLimit.perMinute, state === 'probe' ? 1 : limit, nowMs);
    if (slots.granted === 0) return { jobs: [], notBeforeMs: slots.notBeforeMs };
    const leaseMs = source.timeoutMs + bounds.leaseMarginMs;
    const subjects = await waitingFor(transaction, source.name, nowMs, order);
    const leases: Lease[] = [];
    for (const [place, subject] of subjects.entries()) {
      const share = Math.ceil((slots.granted - leases.length) / (subjects.length - place));
      const claimed = await claim(transaction, database.engine, {
        table: 'enrichment_jobs',
        key: 'vin',
        limit: share,
        nowMs,
        leaseMs,
        where: sql<boolean>`${askable(source.name, nowMs)} AND subject = ${subject}`,
      });
      order.begin(subject);
      order.add(subject, claimed.length);
      leases.push(...claimed);
      if (leases.length >= slots.granted) break;
    }
    // Another worker has them, or is about to.
    if (leases.length === 0) return { jobs: [], notBeforeMs: nowMs + bounds.pollMs };
    const used = takeSlots(rateLimit, source.rateLimit.perMinute, leases.length, nowMs);
    await transaction
      .updateTable('enrichment_sources')
      .set({
        next_slot_at: used.nextSlotAtMs,
        // Until the probe ends, no other worker sends requests.
        ...(state === 'probe' ? { closed_until: nowMs + leaseMs } : {}),
      })
      .where('name', '=', source.name)
      .execute();
    return { jobs: leases, notBeforeMs: used.notBeforeMs };
  });
}

/** Returns those whose VINs are due, in the order of their turns; those without a key come last. */
async function waitingFor(
  transaction: Transaction<Schema>,
  source: string,
  nowMs: number,
  order: FairOrder,
): Promise<string[]> {
  const waiting = await transaction
    .selectFrom('enrichment_jobs')
    .select(['subject', 'public'])
    .distinct()
    .where(askable(source, nowMs))
    .where('run_at', '<=', nowMs)
    .where('locked_until', '<=', nowMs)
    .execute();
  const inTurn = (isPublic: boolean): string[] =>
    order.sorted(waiting.filter((row) => (row.public === 1) === isPublic).map(({ subject }) => subject));
  return [...inTurn(false), ...inTurn(true)];
}

/** Selects VINs that wait for a source and whose deadline has not passed. */
function askable(source: string, nowMs: number) {
  return sql<boolean>`source = ${source} AND deadline_at > ${nowMs}`;
}

/** A rate limit spreads look-ups evenly, but lets as many come at once as fall due within this. */
const BURST_MS = 5_000;

/** The look-ups that a claim may start now. */
interface Slots {
  /** The number of look-ups that may begin now, at most as many as were wanted. */
  granted: number;
  /** The state to keep: see `EnrichmentSourcesTable.next_slot_at`. */
  nextSlotAtMs: number;
  /** When one more may begin; at most `nowMs` if one may begin now. */
  notBeforeMs: number;
}

/**
 * Returns the slots that a rate limit has at a moment, by the generic cell rate algorithm (ITU-T I.371): never more
 * than `perMinute` in a minute, beyond one burst.
 */
export function takeSlots(state: { nextSlotAtMs: number }, perMinute: number, wanted: number, nowMs: number): Slots {
  const spacingMs = 60_000 / perMinute;
  const toleranceMs = Math.max(0, BURST_MS - spacingMs);
  let nextSlotAtMs = Math.max(state.nextSlotAtMs, nowMs);
  let granted = 0;
  while (granted < wanted && nextSlotAtMs - nowMs <= toleranceMs) {
    nextSlotAtMs += spacingMs;
    granted += 1;
  }
  nextSlotAtMs = Math.ceil(nextSlotAtMs);
  return { granted, nextSlotAtMs, notBeforeMs: Math.ceil(nextSlotAtMs - toleranceMs) };
}

/** Locks the state of a source that all instances share until the transaction ends. Created if missing. */
export async function lockSource(
  transaction: Transaction<Schema>,
  name: string,
): Promise<Selectable<Schema['enrichment_sources']>> {
  const find = () =>
    transaction.selectFrom('enrichment_sources').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
  const known = await find();
  if (known !== undefined) return known;
  await transaction
    .insertInto('enrichment_sources')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (made === undefined) throw new Error('A source that was just stored is not there.');
  return made;
}
