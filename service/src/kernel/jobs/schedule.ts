import type { Database } from '../db/index.ts';
import { backoffMs } from './backoff.ts';
import { claimLeases, type Lease, released } from './lease.ts';
import { type JobOutcome, Worker, type WorkerOptions } from './worker.ts';

/** Recurring work: runs once for all instances together. */
export interface Schedule {
  name: string;
  everyMs: number;
  run: () => Promise<void>;
}

/** Longer than the slowest schedule takes: until then no other instance begins it. */
const LEASE_MS = 60 * 60_000;
const POLL_MS = 30_000;
const BACKOFF = { firstMs: 60_000, mostMs: 60 * 60_000 };

interface ScheduleDeps extends Pick<WorkerOptions<Lease>, 'clock' | 'log' | 'watch'> {
  database: Database;
}

/** A worker that runs each schedule when it is due; one that never ran is due at once. */
export function scheduleWorker(deps: ScheduleDeps, schedules: readonly Schedule[]): Worker<Lease> {
  const { database, clock } = deps;
  let known: Promise<void> | undefined;
  return new Worker<Lease>({
    ...deps,
    queue: 'schedules',
    concurrency: 1,
    pollMs: POLL_MS,
    claim: async (limit) => {
      known ??= insertMissing(database, schedules, clock());
      await known.catch(() => (known = undefined));
      return claimLeases(database, { table: 'schedules', key: 'name', limit, nowMs: clock(), leaseMs: LEASE_MS });
    },
    run: (lease) => runSchedule(deps, schedules, lease),
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
  { database, clock, log }: ScheduleDeps,
  schedules: readonly Schedule[],
  { key, lockedBy }: Lease,
): Promise<JobOutcome> {
  const own = database.kysely.updateTable('schedules').where('name', '=', key).where('locked_by', '=', lockedBy);
  const schedule = schedules.find(({ name }) => name === key);
  if (schedule === undefined) {
    // Another version's, or one that is switched off here: an instance that has it looks again soon.
    await own.set(released(clock() + POLL_MS)).execute();
    return 'released';
  }
  try {
    await schedule.run();
    await own.set({ ...released(clock() + schedule.everyMs), attempts: 0, last_error: null }).execute();
    return 'completed';
  } catch (error) {
    log.warn({ err: error, schedule: key }, 'a scheduled job failed and will be retried');
    const before = await database.kysely
      .selectFrom('schedules')
      .select('attempts')
      .where('name', '=', key)
      .executeTakeFirst();
    const attempts = (before?.attempts ?? 0) + 1;
    const runAtMs = clock() + backoffMs(attempts, Math.random(), BACKOFF);
    await own.set({ ...released(runAtMs), attempts, last_error: String(error).slice(0, 500) }).execute();
    return 'failed';
  }
}
