import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { DEFAULT_BOUNDS, type MeterBounds } from './bounds.ts';
import { Meter, type OnWait } from './meter.ts';
import { PostgresUsageStore } from './postgres-store.ts';
import { type SqliteCommitter, SqliteCommitThread, SqliteUsageStore } from './sqlite-store.ts';

export { newDecodeId } from '../kernel/db/decode-id.ts';
export {
  Idempotency,
  type IdempotencyRefusal,
  ownCharge,
  storeOutcome,
  type FirstRequest,
  type Repetition,
} from './idempotency.ts';
export { Meter } from './meter.ts';
export { usageReport, type MonthUsage } from './report.ts';
export { prune } from './prune.ts';
export { SqliteBlockingCommitter, type SqliteCommitter } from './sqlite-store.ts';
export type { PackedBatch } from './packed.ts';
export type { IdempotentCharge, UnsyncedWrite } from './store.ts';
export type { CommitAnswer } from './sqlite-writer.ts';
export { storedReports } from './stored.ts';
export { subjectOf, workspaceIdOf, workspaceSubject } from '../workspaces/subject.ts';
export type { Outcome, StoredDecode, Usage } from './types.ts';
export { verifyUsage, type Disagreement } from './verify.ts';

/** Options of a meter. */
interface MeterOptions {
  bounds?: MeterBounds;
  onWait?: OnWait | undefined;
  /** True if the month of a charge is known: a wrong clock would open another month's allowance. */
  mayCharge?: (() => boolean) | undefined;
  /** Writes charges to SQLite; by default a thread of this process. */
  committer?: SqliteCommitter | undefined;
}

/** A meter on an opened database. Close the meter before the database. */
export function openMeter(
  database: Database,
  clock: Clock,
  { bounds = DEFAULT_BOUNDS, onWait, mayCharge, committer }: MeterOptions = {},
): Meter {
  const store =
    database.engine === 'sqlite'
      ? new SqliteUsageStore(database, committer ?? new SqliteCommitThread(database))
      : new PostgresUsageStore(database.pool);
  return new Meter(database, store, clock, bounds, onWait, mayCharge);
}
