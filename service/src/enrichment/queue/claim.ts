import { sql } from 'kysely';

import type { Database } from '../../kernel/db/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import { claim, type Claimed, type Lease, nextRunAt } from '../../kernel/jobs/index.ts';
import type { Source } from '../source.ts';
import { stateOf } from './breaker.ts';
import { takeSlots } from './rate-limit.ts';
import { lockSource } from './source-row.ts';

type Claimant = Pick<Source, 'name' | 'rateLimit' | 'timeoutMs'>;

/**
 * Claims VINs that a source is to be asked for, at most `limit`, as many as its rate limit and its health allow. A lease
 * holds until the look-up must be over.
 */
export async function claimJobs(
  database: Database,
  source: Claimant,
  limit: number,
  nowMs: number,
  bounds: EnrichmentBounds,
): Promise<Claimed<Lease>> {
  // A look without a lock: an instance that has nothing to do must not hold up those that write.
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
    const leases = await claim(transaction, database.engine, {
      table: 'enrichment_jobs',
      key: 'vin',
      limit: slots.granted,
      nowMs,
      leaseMs,
      where: askable(source.name, nowMs),
      orderBy: sql`public, run_at`,
    });
    // Another worker has them, or is about to.
    if (leases.length === 0) return { jobs: [], notBeforeMs: nowMs + bounds.pollMs };
    const used = takeSlots(rateLimit, source.rateLimit.perMinute, leases.length, nowMs);
    await transaction
      .updateTable('enrichment_sources')
      .set({
        next_slot_at: used.nextSlotAtMs,
        // Until the probe is back no other worker asks.
        ...(state === 'probe' ? { closed_until: nowMs + leaseMs } : {}),
      })
      .where('name', '=', source.name)
      .execute();
    return { jobs: leases, notBeforeMs: used.notBeforeMs };
  });
}

/** Those VINs that wait for a source, and whose time is not up. */
function askable(source: string, nowMs: number) {
  return sql<boolean>`source = ${source} AND deadline_at > ${nowMs}`;
}
