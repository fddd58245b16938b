import type { Generated } from 'kysely';

import type { JobColumns } from './job-columns.ts';

export { PLANS, type Plan } from './plans.ts';

/**
 * Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. Each slice adds its own in its
 * `tables.ts`.
 */
export interface Schema {
  change_counters: {
    topic: string;
    version: Generated<number>;
  };
  settings: {
    name: string;
    value: string;
  };
  /** One row: the last entry of the audit log. An append to the log locks it. */
  audit_head: {
    id: number;
    seq: number;
    /** Empty while the log is. */
    hash: string;
  };
  /** Append-only: triggers refuse anything else. */
  audit_log: {
    seq: number;
    at: number;
    actor: string;
    action: string;
    subject: string;
    /** JSON. */
    details: string;
    previous_hash: string;
    hash: string;
  };
  /** Messages to send; a sent one is deleted. */
  mail_outbox: JobColumns & {
    id: string;
    /** JSON: to, subject, text. */
    mail: string;
    created_at: number;
  };
  /** Work that comes back: see `jobs/schedule.ts`. */
  schedules: JobColumns & {
    name: string;
  };
}
