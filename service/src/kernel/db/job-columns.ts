import { bigint, integer, key, text } from './table.ts';

/** Columns by which instances share rows: one worker at a time has the lease of a row. */
export const LEASE_COLUMNS = {
  /** When the job may begin, epoch milliseconds. */
  run_at: bigint(),
  /** Names the lease; null: not claimed. */
  locked_by: key().nullable(),
  /** When the lease ends and any worker may take the job; 0: not claimed. */
  locked_until: bigint().default(0),
};

/** The columns of every table whose rows are jobs. */
export const JOB_COLUMNS = {
  ...LEASE_COLUMNS,
  /** Attempts that failed since the job was enqueued. */
  attempts: integer().default(0),
  /** The reason for the last failure; null: none failed. */
  last_error: text().nullable(),
};
