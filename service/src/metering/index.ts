export {
  Idempotency,
  type IdempotencyRefusal,
  ownCharge,
  chargeOfVin,
  storeOutcome,
  type FirstRequest,
  type Repetition,
} from './idempotency.ts';
export { Meter } from './meter.ts';
export { usageReport, type MonthUsage } from './report.ts';
export { forgetBodies, forgetJob, maskDecodes } from './privacy.ts';
export { prune } from './prune.ts';
export { type OpenCommitter, SqliteBlockingCommitter, type SqliteCommitter } from './sqlite-store.ts';
export type { PackedBatch } from './packed.ts';
export type { IdempotentCharge, UnsyncedWrite } from './store.ts';
export type { CommitAnswer } from './sqlite-writer.ts';
export { chargedAmong, storedReports, usedBy } from './stored.ts';
export type { Outcome, ChargeableDecode, Usage } from './types.ts';
export { verifyUsage, type Disagreement } from './verify.ts';
export { openMeter } from './open.ts';
export { countMismatches } from './mismatches.ts';
export { USAGE_HEADERS, busyAnswer } from './described.ts';
export {
  COLUMNS,
  decodeOf,
  findDecode,
  findVisitorDecode,
  listDecodes,
  pagesOfDecodes,
  recentDecode,
  type DecodeFilter,
  type DecodePage,
  type StoredDecode,
} from './stored-decodes.ts';
export { fixedOutcome, isTestCaller } from './test-keys.ts';
export { chargedByDay, outcomesSince, type WorkspaceUsage, workspacesWithUsage } from './totals.ts';
export {
  REPLAY_HEADER,
  UnreadableOutcome,
  idempotencyKeyHeader,
  idempotencyRefusal,
  markReplay,
  withIdempotency,
} from './with-idempotency.ts';
export type { UsageTables } from './tables.ts';
