import type { MetricObjectWithValues, MetricValue } from 'prom-client';

import type { CommitAnswer, PackedBatch, UnsyncedWrite } from '../metering/index.ts';
import type { BurstLimit } from '../kernel/limits/token-buckets.ts';

/** Metrics of one process as prom-client passes them between processes. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** The exit status of a worker that did not start because a newer program has upgraded the database. */
export const UPGRADED = 3;

/** Requests of workers to the primary. */
export interface PrimaryFunctions {
  /** Commits a batch of charges on SQLite. */
  commit: (batch: PackedBatch) => Promise<CommitAnswer>;
  /** Runs a statement on SQLite: see `UnsyncedWrite`. */
  write: (statement: UnsyncedWrite) => Promise<CommitAnswer>;
  /** Counts one against a limit: see `RateLimiter`. */
  take: (name: string, limit: BurstLimit, client: string, nowMs: number) => number;
  giveBack: (name: string, client: string) => void;
  /** Invalidates the other workers' caches; resolves when they have. */
  notifyPeers: () => Promise<void>;
  /** Tells the other workers that a paying caller came from a network. */
  paidFrom: (network: string) => void;
  /** The worker serves. */
  ready: (origin: string) => void;
}

/** Requests of the primary to workers. */
export interface WorkerFunctions {
  /** Answers, which a worker that hangs does not. */
  ping: () => void;
  forget: () => void;
  /** A paying caller came from a network. */
  paidFrom: (network: string) => void;
  metrics: () => Promise<ProcessMetrics>;
  /** Drain, then end. */
  stop: () => void;
}
