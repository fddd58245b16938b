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
export type { ReportSource, ReportState } from './correction-tables.ts';
export type { ApiKeysTable, LimitMode } from './usage-tables.ts';

interface ChangeCountersTable {
  topic: string;
  version: Generated<number>;
}

interface SettingsTable {
  name: string;
  value: string;
}

/** One row: the last entry of the audit log. An append to the log locks it. */
interface AuditHeadTable {
  id: number;
  seq: number;
  /** Empty while the log is. */
  hash: string;
}

/** Append-only: triggers refuse anything else. */
interface AuditLogTable {
  seq: number;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON. */
  details: string;
  previous_hash: string;
  hash: string;
}

/** Messages to send; a sent one is deleted. */
interface MailOutboxTable extends JobColumns {
  id: string;
  /** JSON: to, subject, text. */
  mail: string;
  created_at: number;
}

/** Work that comes back: see `jobs/schedule.ts`. */
interface SchedulesTable extends JobColumns {
  name: string;
}

/** Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. */
export interface Schema
  extends AccountTables, BillingTables, CorrectionTables, EnrichmentTables, FileTables, UsageTables, WebhookTables {
  change_counters: ChangeCountersTable;
  settings: SettingsTable;
  audit_head: AuditHeadTable;
  audit_log: AuditLogTable;
  mail_outbox: MailOutboxTable;
  schedules: SchedulesTable;
}
