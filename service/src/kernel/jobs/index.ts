export { type Backlog, type Queues, readBacklogs } from './backlog.ts';
export {
  backoffMs,
  claim,
  claimLeases,
  CLOCKS_DIFFER_MS,
  endFarPauses,
  type Lease,
  nextRunAt,
  released,
} from './claim.ts';
export { type Schedule, scheduleWorker } from './schedules.ts';
export { type Claimed, type JobOutcome, type JobWatcher, Worker, type WorkerOptions } from './worker.ts';
