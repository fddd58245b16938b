import { DAY_MS } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { backoffMs, claimLeases, endFarPauses, type Lease, released } from './claim.ts';
import { type JobOutcome, Worker, type WorkerOptions } from './worker.ts';

/** Recurring work: runs once for all instances together. */
export interface Schedule {
  name: string;
  everyMs: number;
  /** True if it also runs when it is very late: it removes nothing. */
  isHarmlessLate?: boolean;
  /** @param signal aborted when it is to end before it is done: the next instance begins it at once. */
  run: (signal: AbortSignal) => Promise<void>;
}

/** Longer than the slowest schedule takes: until then no other instance begins it. */
const LEASE_MS = 60 * 60_000;
const POLL_MS = 30_000;
const BACKOFF = { firstMs: 60_000, mostMs: 60 * 60_000 };

/**
 * The greatest lateness at which a schedule runs. One that is later waits for a day: either no instance ran for so long,
 * or the clock is ahead, and what removes old data would remove all of it. By then a wrong clock is noticed and set.
 */
const LATE_MS = 7 * DAY_MS;
const LATE =
  'Due for more than a week by this clock, so it waits for a day. If the service ran in that week, the clock is ahead: set it';

/** The dependencies of a worker of schedules. */
type Parts = Pick<WorkerOptions<Lease>, 'clock' | 'clockFault' | 'log' | 'watch'> & { database: Database };

/**
 * Returns a worker that runs each schedule when it is due; one that never ran is due at once. None runs while the clock
 * seems to be wrong.
 */
export function scheduleWorker(deps: Parts, schedules: readonly Schedule[]): Worker<Lease> {
  const { database, clock } = deps;
  let known: Promise<void> | undefined;
  return new Worker<Lease>({
    ...deps,
    queue: 'schedules',
    concurrency: 1,
    pollMs: POLL_MS,
    endPauses: (nowMs) => endFarPauses(database.kysely, { table: 'schedules', mostMs: LATE_MS }, nowMs),
    claim: async (limit) => {
      known ??= insertMissing(database, schedules, clock());
      await known.catch(() => (known = undefined));
      return claimLeases(database, { table: 'schedules', key: 'name', limit, nowMs: clock(), leaseMs: LEASE_MS });
    },
    run: (lease, signal) => runSchedule(deps, schedules, lease, signal),
  });
}

async function insertMissing({ kysely }: Database, schedules: readonly Schedule[], nowMs: number): Promise<void> {
  if (schedules.length === 0) return;
  await kysely
    .insertInto('schedules')
    .values(schedules.map(({ name }) => ({ name, run_at: nowMs })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function runSchedule(
  { database, clock, log }: Parts,
  schedules: readonly Schedule[],
  { key, lockedBy }: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const own = database.kysely.updateTable('schedules').where('name', '=', key).where('locked_by', '=', lockedBy);
  const schedule = schedules.find(({ name }) => name === key);
  if (schedule === undefined) {
    // Another version's, or one that is switched off here: an instance that has it looks again soon.
    await own.set(released(clock() + POLL_MS)).execute();
    return 'released';
  }
  const before = await database.kysely
    .selectFrom('schedules')
    .select(['run_at', 'attempts', 'last_error'])
    .where('name', '=', key)
    .executeTakeFirst();
  const attempts = (before?.attempts ?? 0) + 1;
  const isLate = before !== undefined && clock() - before.run_at > LATE_MS && before.last_error !== LATE;
  if (isLate && schedule.isHarmlessLate !== true) {
    log.warn({ schedule: key, dueAt: new Date(before.run_at).toISOString() }, LATE);
    await own.set({ ...released(clock() + DAY_MS), attempts, last_error: LATE }).execute();
    return 'released';
  }
  try {
    await schedule.run(signal);
    await own.set({ ...released(clock() + schedule.everyMs), attempts: 0, last_error: null }).execute();
    return 'completed';
  } catch (error) {
    if (signal.aborted) {
      await own.set(released(clock())).execute();
      return 'released';
    }
    log.warn({ err: error, schedule: key }, 'a scheduled job failed and will be retried');
    const runAtMs = clock() + backoffMs(attempts, Math.random(), BACKOFF);
    await own.set({ ...released(runAtMs), attempts, last_error: String(error).slice(0, 500) }).execute();
    return 'failed';
  }
}
