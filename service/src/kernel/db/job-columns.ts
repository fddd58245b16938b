import type { Generated } from 'kysely';

/** The columns of every table whose rows are jobs. */
export interface JobColumns extends LeaseColumns {
  /** Attempts that failed since the job was enqueued. */
  attempts: Generated<number>;
  /** Why the last one failed; null: none did. */
  last_error: Generated<string | null>;
}

/** The columns by which instances share rows: one worker at a time holds the lease of a row. */
export interface LeaseColumns {
  /** When the job may begin, epoch milliseconds. */
  run_at: number;
  /** Names the lease; null: not claimed. */
  locked_by: Generated<string | null>;
  /** When the lease ends and any worker may take the job; 0: not claimed. */
  locked_until: Generated<number>;
}
