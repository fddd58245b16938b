import { randomUUID } from 'node:crypto';

import type { Transaction } from 'kysely';

import type { Database, Schema } from '../../../platform/db/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import type { Claimed } from '../../../platform/jobs/claim-loop.ts';
import type { Source } from '../source.ts';
import { stateOf } from './breaker.ts';
import type { Job } from './job.ts';
import { takeSlots } from './pace.ts';
import { lockSource } from './source-row.ts';

type Claimant = Pick<Source, 'name' | 'pace' | 'timeoutMs'>;

/**
 * Claims VINs that a source is to be asked for, at most `room`, as many as its rate limit and its health allow. A claim
 * holds until the look-up must be over; if its holder dies, the VIN can be claimed again then.
 */
export async function claimJobs(
  database: Database,
  source: Claimant,
  room: number,
  nowMs: number,
  bounds: EnrichmentBounds,
): Promise<Claimed<Job>> {
  // A look without a lock: an instance that has nothing to do must not hold up those that write.
  const next = await database.kysely
    .selectFrom('enrichment_jobs')
    .select(({ fn }) => fn.min('due_at').as('dueAt'))
    .where('source', '=', source.name)
    .where('deadline_at', '>', nowMs)
    .executeTakeFirst();
  const dueAtMs = next?.dueAt ?? Infinity;
  if (dueAtMs > nowMs) return { jobs: [], notBeforeMs: dueAtMs };
  return database.kysely
    .transaction()
    .execute((transaction) => claimIn(transaction, database.engine, source, room, nowMs, bounds));
}

async function claimIn(
  transaction: Transaction<Schema>,
  engine: Database['engine'],
  source: Claimant,
  room: number,
  nowMs: number,
  bounds: EnrichmentBounds,
): Promise<Claimed<Job>> {
  const row = await lockSource(transaction, engine, source.name);
  const state = stateOf({ failures: row.failures, closedUntilMs: row.closed_until }, nowMs, bounds);
  if (state === 'resting') return { jobs: [], notBeforeMs: row.closed_until };
  const pace = { nextSlotAtMs: row.next_slot_at };
  const slots = takeSlots(pace, source.pace.perMinute, state === 'probe' ? 1 : room, nowMs);
  if (slots.granted === 0) return { jobs: [], notBeforeMs: slots.notBeforeMs };
  const found = await transaction
    .selectFrom('enrichment_jobs')
    .select('vin')
    .where('source', '=', source.name)
    .where('due_at', '<=', nowMs)
    .where('deadline_at', '>', nowMs)
    .orderBy('public')
    .orderBy('due_at')
    .limit(slots.granted)
    .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute();
  // Somebody else has them, or is about to: the next look tells.
  if (found.length === 0) return { jobs: [], notBeforeMs: nowMs + bounds.pollMs };
  const vins = found.map(({ vin }) => vin);
  const holder = randomUUID();
  const leaseEndMs = nowMs + source.timeoutMs + bounds.leaseMarginMs;
  await transaction
    .updateTable('enrichment_jobs')
    .set({ holder, due_at: leaseEndMs })
    .where('vin', 'in', vins)
    .execute();
  const used = takeSlots(pace, source.pace.perMinute, vins.length, nowMs);
  await transaction
    .updateTable('enrichment_sources')
    .set({
      next_slot_at: used.nextSlotAtMs,
      // Until the probe is back nobody else asks.
      ...(state === 'probe' ? { closed_until: leaseEndMs } : {}),
    })
    .where('name', '=', source.name)
    .execute();
  return { jobs: vins.map((vin) => ({ vin, holder })), notBeforeMs: used.notBeforeMs };
}
