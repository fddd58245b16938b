import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { DEFAULT_BOUNDS, Meter, type MeterBounds, type OnWait } from './meter.ts';
import { PostgresUsageStore } from './postgres-store.ts';
import { SqliteUsageStore } from './sqlite-store.ts';

export { newDecodeId } from '../../platform/db/decode-id.ts';
export {
  Idempotency,
  type IdempotencyFinding,
  ownCharge,
  ownChargeName,
  storeOutcome,
  type FirstRequest,
} from './idempotency.ts';
export { Meter, type MeterBounds } from './meter.ts';
export { usageReport, type MonthUsage } from './report.ts';
export { prune } from './prune.ts';
export type { IdempotentCharge } from './store.ts';
export { storedReports } from './stored-reports.ts';
export { isTestSubject, subjectOf, testSubject, workspaceIdOf, workspaceSubject } from './subject.ts';
export type { Outcome, StoredDecode, Usage } from './types.ts';
export { verifyUsage, type Disagreement } from './verify.ts';

/** A meter on an opened database. Close the meter before the database. */
export function openMeter(
  database: Database,
  clock: Clock,
  bounds: MeterBounds = DEFAULT_BOUNDS,
  onWait?: OnWait,
): Meter {
  const store = database.engine === 'sqlite' ? new SqliteUsageStore(database) : new PostgresUsageStore(database.pool);
  return new Meter(store, clock, bounds, onWait);
}
