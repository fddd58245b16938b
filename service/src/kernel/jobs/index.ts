export { type Backlog, type Queues, readBacklogs } from './backlog.ts';
export { backoffMs } from './backoff.ts';
export { claim, claimLeases, type Lease, nextRunAt, released } from './lease.ts';
export type { JobOutcome, JobWatcher } from './worker.ts';
export { type Schedule, scheduleWorker } from './schedule.ts';
export { type Claimed, Worker, type WorkerOptions } from './worker.ts';
