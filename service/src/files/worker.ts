import { setTimeout as sleep } from 'node:timers/promises';

import type { Transaction, Updateable } from 'kysely';

import { endFarPauses, type JobOutcome, type Lease, released, Worker } from '../kernel/jobs/index.ts';
import type { ActDeps } from '../kernel/audit/index.ts';
import type { FileState } from './tables.ts';
import type { Schema } from '../kernel/db/index.ts';
import { withoutSync } from '../kernel/db/unsynced.ts';
import { ALLOWANCES, Throttle } from '../kernel/limits/throttle.ts';
import { enqueueEvent } from '../webhooks/index.ts';
import { callerOf, type ChunkResult, decodeChunk } from './chunk.ts';
import type { FileWork } from './parts.ts';
import { pageWith } from './file-pages.ts';
import { removeFile } from './remove.ts';
import { isTestFile } from './store.ts';
import { FairFileQueue } from './fair-file-queue.ts';

/** A worker's lease on a file: after this long without renewal, another worker may claim it. */
const LEASE_MS = 15_000;
/**
 * The interval of storing progress, in milliseconds. After a crash the lost part is repeated, and recognized as
 * charged.
 */
const PROGRESS_MS = 500;
/** The longest pause after a chunk: one whose charge was retried took longer than its work. */
const LONGEST_REST_MS = 100;
/** The interval at which a worker polls for files from other instances, in milliseconds. */
const POLL_MS = 5_000;

/** Returns a worker that decodes files in the background, one at a time. */
export function fileWorker(deps: FileWork): Worker<Lease> {
  const turns = new FairFileQueue(deps.database);
  return new Worker<Lease>({
    ...deps,
    queue: 'files',
    concurrency: 1,
    pollMs: POLL_MS,
    endPauses: (nowMs) => endFarPauses(deps.database.kysely, { table: 'vin_files', mostMs: 0 }, nowMs),
    claim: () => turns.claim(deps.clock(), LEASE_MS),
    run: (lease, signal) => runFile(deps, turns, lease, signal),
  });
}

/** Decodes a file to its end, to the limit, or until its turn is over; another worker continues if this one stops. */
async function runFile(deps: FileWork, turns: FairFileQueue, lease: Lease, signal: AbortSignal): Promise<JobOutcome> {
  const { database, clock } = deps;
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['workspace_id as workspaceId', 'created_by as createdBy', 'vin_column as column', 'row_count', 'done'])
    .where('id', '=', lease.key)
    .executeTakeFirst();
  // Removed since it was claimed.
  if (file === undefined) return 'completed';
  if ((await pageWith(database, lease.key, 0)) === undefined) {
    // The process that removed it was killed before it was done.
    await removeFile(deps, lease.key);
    return 'completed';
  }
  const { workspaceId, createdBy, column, row_count: rows } = file;
  const progress = new Progress(deps, lease, file.done);
  const end = async (state: 'completed' | 'stopped'): Promise<JobOutcome> => {
    await endFile(deps, lease, { state, done: progress.done, workspaceId, isIdle: progress.delivered === 0 });
    return 'completed';
  };
  while (!signal.aborted) {
    if (progress.done >= rows) return end('completed');
    const caller = await callerOf(deps, { workspaceId, createdBy });
    if (caller === undefined) {
      await progress.store();
      return end('stopped');
    }
    const page = await pageWith(database, lease.key, progress.done);
    if (page === undefined) return 'completed';
    const begunAtMs = performance.now();
    // A page is charged together: small enough that progress is seen, large enough that a file takes seconds.
    const cells = page.rows.slice(progress.done - page.from).map((row) => row[column] ?? '');
    const chunk = { fileId: lease.key, lockedBy: lease.lockedBy, from: progress.done, column, cells };
    const result = await decodeChunk(deps, caller, chunk, () => progress.renew());
    if (result.kind === 'lost') return 'released';
    progress.add(result);
    const isLast = result.kind === 'stopped' || progress.done >= rows || signal.aborted;
    if (isLast || progress.isDue) await progress.store();
    if (result.kind === 'stopped') return end('stopped');
    if (isLast) continue;
    const left = rows - progress.done;
    const isOver = await turns.shouldYield({ id: lease.key, workspaceId, left }, clock());
    if (isOver) await progress.release('running');
    // Requests come first: their charges wait for those of a chunk, and now find the database free half of the time.
    await sleep(Math.min(performance.now() - begunAtMs, LONGEST_REST_MS));
    if (isOver) return 'released';
  }
  // Released, so that the next start need not wait for the lease to expire.
  await progress.release('queued');
  return 'released';
}

/** The progress of a claimed file, and how much of it is stored. */
class Progress {
  done: number;
  /** Rows delivered since the file was claimed. */
  delivered = 0;
  readonly #deps: ActDeps;
  readonly #lease: Lease;
  #delivered = 0;
  #storedAtMs = 0;

  constructor(deps: ActDeps, lease: Lease, done: number) {
    this.#deps = deps;
    this.#lease = lease;
    this.done = done;
  }

  get isDue(): boolean {
    return this.#deps.clock() - this.#storedAtMs >= PROGRESS_MS;
  }

  add({ reached, delivered }: ChunkResult): void {
    this.done = reached;
    this.delivered += delivered;
    this.#delivered += delivered;
  }

  /** Renews the lease. */
  async renew(): Promise<void> {
    await this.#update({ locked_until: this.#deps.clock() + LEASE_MS });
  }

  /** Stores the progress, and keeps the lease. */
  async store(): Promise<void> {
    this.#storedAtMs = this.#deps.clock();
    await this.#update({ state: 'running', locked_until: this.#storedAtMs + LEASE_MS });
  }

  /** Stores the progress, and releases the file. */
  async release(state: FileState): Promise<void> {
    await this.#update({ ...released(this.#deps.clock()), state });
  }

  async #update(change: Updateable<Schema['vin_files']>): Promise<void> {
    const { done } = this;
    const added = this.#delivered;
    this.#delivered = 0;
    const { key, lockedBy } = this.#lease;
    await withoutSync(this.#deps.database, (kysely) =>
      kysely
        .updateTable('vin_files')
        .set((to) => ({ ...change, done, delivered: to('delivered', '+', added) }))
        .where('id', '=', key)
        .where('locked_by', '=', lockedBy)
        .execute(),
    );
  }
}

/**
 * Returns true if a workspace has used up its events of free jobs for this hour. Jobs of test keys and jobs that charge
 * nothing are free to send, and any address can be entered as a receiver.
 */
async function isOverFreeEvents(
  transaction: Transaction<Schema>,
  workspaceId: string,
  nowMs: number,
): Promise<boolean> {
  const throttle = new Throttle({ kysely: transaction }, () => nowMs);
  return (await throttle.count(ALLOWANCES.eventOfFreeJob, workspaceId)) !== undefined;
}

/** Ends a file that is still held, together with the event that reports it. */
async function endFile(
  { database, clock, deliveries }: FileWork,
  { key, lockedBy }: Lease,
  {
    state,
    done,
    workspaceId,
    isIdle,
  }: { state: 'completed' | 'stopped'; done: number; workspaceId: string; isIdle: boolean },
): Promise<void> {
  const now = clock();
  await database.kysely.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('vin_files')
      .set({ ...released(now), state, done, finished_at: now })
      .where('id', '=', key)
      .where('locked_by', '=', lockedBy)
      .returning(['row_count', 'delivered', 'created_by'])
      .executeTakeFirst();
    if (ended === undefined) return;
    const { row_count: vins, delivered: charged, created_by: createdBy } = ended;
    // One that is resumed, and stops again at once, charges nothing either.
    const isFree = charged === 0 || (state === 'stopped' && isIdle) || isTestFile({ createdBy });
    if (isFree && (await isOverFreeEvents(transaction, workspaceId, now))) return;
    const data = { jobId: key, vins, done, charged, results: `/api/jobs/${key}/results` };
    await enqueueEvent(transaction, { workspaceId }, { type: `job.${state}`, data }, now);
  });
  deliveries.wake();
}
