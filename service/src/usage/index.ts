import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { DEFAULT_BOUNDS, Meter, type MeterBounds } from './meter.ts';
import { SqliteUsageStore } from './sqlite-store.ts';

export { newDecodeId } from './decode-id.ts';
export { Meter, type MeterBounds } from './meter.ts';
export type { IdempotentCharge } from './store.ts';
export { subjectOf } from './subject.ts';
export type { ManyOutcome, Outcome, StoredDecode, Usage } from './types.ts';

/** A meter on an opened database. Close the meter before the database. */
export function openMeter(database: Database, clock: Clock, bounds: MeterBounds = DEFAULT_BOUNDS): Meter {
  if (database.engine === 'postgres') throw new Error('Metering on PostgreSQL is not there yet.');
  return new Meter(new SqliteUsageStore(database.direct), clock, bounds);
}
