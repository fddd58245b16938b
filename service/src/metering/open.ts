import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { DEFAULT_BOUNDS, type MeterBounds } from './bounds.ts';
import { Meter, type OnWait } from './meter.ts';
import { PostgresUsageStore } from './postgres-store.ts';
import { type OpenCommitter, SqliteCommitThread, SqliteUsageStore } from './sqlite-store.ts';

/** Options of a meter. */
interface MeterOptions {
  bounds?: MeterBounds;
  onWait?: OnWait | undefined;
  /** Returns whether the month of a charge is known: a wrong clock would open another month's allowance. */
  mayCharge?: (() => boolean) | undefined;
  /** Opens what writes charges to SQLite; default: a thread of this process. */
  committer?: OpenCommitter | undefined;
}

/** Opens a meter on an opened database. Close the meter before the database. */
export function openMeter(
  database: Database,
  clock: Clock,
  {
    bounds = DEFAULT_BOUNDS,
    onWait,
    mayCharge,
    committer = (sqlite) => new SqliteCommitThread(sqlite),
  }: MeterOptions = {},
): Meter {
  const store =
    database.engine === 'sqlite'
      ? new SqliteUsageStore(database, committer(database))
      : new PostgresUsageStore(database);
  return new Meter(database, store, clock, bounds, onWait, mayCharge);
}
