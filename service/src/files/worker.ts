import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';

import {
  claimLeases,
  type JobOutcome,
  type Lease,
  released,
  Worker,
  type WorkerOptions,
} from '../kernel/jobs/index.ts';
import { withoutSync } from '../kernel/db/unsynced.ts';
import { enqueueEvent } from '../webhooks/enqueue.ts';
import { callerOf, decodeChunk, type FileDecodeDeps } from './chunk.ts';
import { vinCells } from './rows.ts';

/** Rows that are charged together: small enough that progress is seen, large enough that a file takes seconds. */
const CHUNK = 200;
/** After this long without a sign of life a worker's file is anybody's. */
const LEASE_MS = 15_000;
/** How often progress is stored. What a crash loses of it is done again, and recognized as charged. */
const PROGRESS_MS = 500;
/** The longest rest after a chunk: one that had to be charged again took longer than its work. */
const LONGEST_REST_MS = 100;
/** How often a worker looks for files that others left or sent. */
const POLL_MS = 5_000;

/** Files that are to be decoded, or half way. */
const UNFINISHED = sql<boolean>`state IN ('queued', 'running')`;

interface FileWorkerDeps extends FileDecodeDeps, Pick<WorkerOptions<Lease>, 'log' | 'watch'> {
  /** Called when there is an event to deliver. */
  deliveries: { wake: () => void };
}

/** A worker that decodes files in the background, one at a time. */
export function fileWorker(deps: FileWorkerDeps): Worker<Lease> {
  const { database, clock } = deps;
  return new Worker<Lease>({
    ...deps,
    queue: 'files',
    concurrency: 1,
    pollMs: POLL_MS,
    claim: (limit) =>
      claimLeases(database, {
        table: 'vin_files',
        key: 'id',
        limit,
        nowMs: clock(),
        leaseMs: LEASE_MS,
        where: UNFINISHED,
        orderBy: sql`id`,
      }),
    run: (lease, signal) => runFile(deps, lease, signal),
  });
}

/** Decodes a file to its end, or to the limit; what is left when the worker ends is another's. */
async function runFile(deps: FileWorkerDeps, lease: Lease, signal: AbortSignal): Promise<JobOutcome> {
  const { database, clock } = deps;
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['workspace_id', 'created_by', 'source', 'vin_column', 'has_header', 'done'])
    .where('id', '=', lease.key)
    .executeTakeFirst();
  // Removed since it was claimed.
  if (file === undefined) return 'completed';
  const held = database.kysely
    .updateTable('vin_files')
    .where('id', '=', lease.key)
    .where('locked_by', '=', lease.lockedBy);
  const end = async (state: 'completed' | 'stopped', done: number): Promise<JobOutcome> => {
    await endFile(deps, lease, { state, done, workspaceId: file.workspace_id });
    return 'completed';
  };
  const cells: string[] = [];
  for await (const cell of vinCells(file)) cells.push(cell);
  let { done } = file;
  let delivered = 0;
  let storedAtMs = 0;
  const storeProgress = async (): Promise<void> => {
    storedAtMs = clock();
    const progress = { state: 'running', done, locked_until: storedAtMs + LEASE_MS } as const;
    const added = delivered;
    delivered = 0;
    await withoutSync(database, (kysely) =>
      kysely
        .updateTable('vin_files')
        .set((to) => ({ ...progress, delivered: to('delivered', '+', added) }))
        .where('id', '=', lease.key)
        .where('locked_by', '=', lease.lockedBy)
        .execute(),
    );
  };
  while (!signal.aborted) {
    if (done >= cells.length) return end('completed', done);
    const caller = await callerOf(deps, { workspaceId: file.workspace_id, createdBy: file.created_by });
    if (caller === undefined) {
      await storeProgress();
      return end('stopped', done);
    }
    const begunAtMs = performance.now();
    const chunk = { fileId: lease.key, from: done, to: Math.min(done + CHUNK, cells.length), cells };
    const result = await decodeChunk(deps, caller, chunk, async () => {
      await held.set({ locked_until: clock() + LEASE_MS }).execute();
    });
    done = result.reached;
    delivered += result.delivered;
    const isLast = result.kind === 'stopped' || done >= cells.length || signal.aborted;
    if (isLast || clock() - storedAtMs >= PROGRESS_MS) await storeProgress();
    if (result.kind === 'stopped') return end('stopped', done);
    // Requests come first: their charges wait for those of a chunk, and now find the database free half of the time.
    if (!isLast) await sleep(Math.min(performance.now() - begunAtMs, LONGEST_REST_MS));
  }
  // Given back, so that the next start need not wait for the lease to end.
  await held.set({ ...released(clock()), state: 'queued' }).execute();
  return 'released';
}

/** Ends a file that is still held, together with the event that reports it. */
async function endFile(
  { database, clock, deliveries }: FileWorkerDeps,
  { key, lockedBy }: Lease,
  { state, done, workspaceId }: { state: 'completed' | 'stopped'; done: number; workspaceId: string },
): Promise<void> {
  const now = clock();
  await database.kysely.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('vin_files')
      .set({ ...released(now), state, done, finished_at: now })
      .where('id', '=', key)
      .where('locked_by', '=', lockedBy)
      .returning(['row_count', 'delivered'])
      .executeTakeFirst();
    if (ended === undefined) return;
    const { row_count: vins, delivered: charged } = ended;
    const data = { jobId: key, vins, done, charged, results: `/api/jobs/${key}/results` };
    await enqueueEvent(transaction, { workspaceId }, { type: `job.${state}`, data }, now);
  });
  deliveries.wake();
}
