import type { Generated } from 'kysely';

import type { AccountTables } from './account-tables.ts';
import type { BillingTables } from './billing-tables.ts';
import type { CorrectionTables } from './correction-tables.ts';
import type { EnrichmentTables } from './enrichment-tables.ts';
import type { FileTables } from './file-tables.ts';
import type { JobColumns } from './job-columns.ts';
import type { UsageTables } from './usage-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

export { PLANS, type Plan } from './plans.ts';
export type { Role } from './account-tables.ts';
export { REPORT_STATES, type ReportSource, type ReportState } from './correction-tables.ts';
export type { LimitMode } from './usage-tables.ts';

/** Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. */
export interface Schema
  extends AccountTables, BillingTables, CorrectionTables, EnrichmentTables, FileTables, UsageTables, WebhookTables {
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
