import type { Generated } from 'kysely';

import type { AccountTables } from './account-tables.ts';
import type { BillingTables } from './billing-tables.ts';
import type { FileTables } from './file-tables.ts';
import type { JobColumns } from './job-columns.ts';
import type { Plan } from './plans.ts';
import type { WebhookTables } from './webhook-tables.ts';

export { PLANS, type Plan } from './plans.ts';
export type { Role } from './account-tables.ts';

/** Whose limit counts: the plan's, a number of the workspace's own, or none at all. */
export type LimitMode = 'plan' | 'fixed' | 'none';

export interface WorkspacesTable {
  id: string;
  slug: string;
  plan: Plan;
  limit_mode: LimitMode;
  /** Set exactly when `limit_mode` is `fixed`. */
  monthly_limit: number | null;
  suspended_at: number | null;
  created_at: number;
  /** Who founded it, as a keyed hash of the address; null: an operator did, or it is no longer needed. */
  founder: Generated<string | null>;
  /** What its founder had spent of the free allowance before, in the month that it was founded in. */
  allowance_spent: Generated<number>;
  /** Start of that UTC month. */
  allowance_spent_in: Generated<number | null>;
}

export interface ApiKeysTable {
  id: string;
  workspace_id: string;
  name: string;
  /** Hex SHA-256 of the whole key. The key itself is stored nowhere. */
  hash: string;
  /** The first characters of the key, for recognition. */
  prefix: string;
  last4: string;
  created_at: number;
  /** The key is inactive from this time on. */
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** The key that this one replaces. That key's grace begins with the first use of this one. */
  rotated_from: string | null;
}

export interface DecodesTable {
  /** UUIDv7 made at the time of the request, so that ids sort by time: the `X-Request-Id` of the answer. */
  id: string;
  /** Who asked: see `usage/subject.ts`. */
  subject: string;
  /** The key that was used; null for public access. */
  key_id: string | null;
  vin: string;
  outcome: string;
  /** JSON at full depth; the reader cuts it to the plan. */
  report: string;
  /** 1: counted in `usage_counters` and `usage_ledger`; 0: free of charge. */
  charged: number;
  created_at: number;
}

export interface UsageCountersTable {
  subject: string;
  /** Start of the UTC month. */
  window_start: number;
  used: number;
}

/** The outbox of charging: shares of a month's limit that a workspace has reached, once each. */
export interface UsageThresholdsTable {
  workspace_id: string;
  window_start: number;
  usage_limit: number;
  percent: 80 | 100;
  used: number;
  window_end: number;
  reached_at: number;
  /** Null: not yet consumed. */
  handled_at: Generated<number | null>;
}

export interface UsageLedgerTable {
  subject: string;
  window_start: number;
  /** Start of the UTC day. */
  day_start: number;
  /** Empty for public access: a part of the primary key cannot be null. */
  key_id: string;
  charged: number;
}

export interface IdempotencyTable {
  /** The subject that sent the key, or another name that keeps two routes' keys apart. */
  scope: string;
  idempotency_key: string;
  body_hash: string;
  decode_id: string | null;
  /** What the route needs to give the same answer again. */
  outcome: string;
  usage_limit: number | null;
  usage_remaining: number | null;
  usage_reset_at: number | null;
  expires_at: number;
}

export interface PublicSecretsTable {
  window_start: number;
  /** Hex. */
  secret: string;
}

export interface ChangeCountersTable {
  topic: string;
  version: Generated<number>;
}

export interface SettingsTable {
  name: string;
  value: string;
}

/** One row: the last entry of the audit log. An append to the log locks it. */
export interface AuditHeadTable {
  id: number;
  seq: number;
  /** Empty while the log is. */
  hash: string;
}

/** Append-only: triggers refuse anything else. */
export interface AuditLogTable {
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

/** The state of a report of a wrong decode. */
export type ReportState = 'queued' | 'accepted' | 'rejected' | 'superseded' | 'reverted';

/** How a report came in. */
export type ReportSource = 'public' | 'subscriber' | 'portal';

/** Texts that anybody may send are stored as JSON, which escapes what PostgreSQL cannot hold. */
export interface CorrectionReportsTable {
  id: string;
  /** The VIN as it is read; null where the one that was sent is none. */
  vin: string | null;
  /** JSON of what was claimed, as it was sent. */
  claim: string;
  /** Hex SHA-256 of VIN and claim: equal for reports that say the same. */
  claim_hash: string;
  /** JSON of the report that the client says it got. */
  actual_report: string | null;
  /** JSON of what the service answered at that moment, with its evidence. */
  answered: string | null;
  source: ReportSource;
  /** Who reported: see `usage/subject.ts`. */
  subject: string;
  key_id: string | null;
  /** Address to notify when it is decided. */
  notify_email: string | null;
  /** The first undecided report that says the same. */
  duplicate_of: string | null;
  state: ReportState;
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  reason: string | null;
  /** Superseded: the report whose correction settles this one, too. */
  settled_by: string | null;
}

export interface OverridesTable {
  id: string;
  report_id: string;
  /** Set for one VIN; else `wmi` and `pattern` are. */
  vin: string | null;
  wmi: string | null;
  pattern: string | null;
  year_from: number | null;
  year_to: number | null;
  /** JSON: field path to value, null for a field to leave out. */
  fields: string;
  created_at: number;
  created_by: string;
  reverted_at: number | null;
  reverted_by: string | null;
  /** Place in the audit log of its last change: instances read on from the last one that they know. */
  changed_seq: number;
}

/** Rows over the catalog, learned from an operator's cars. The newest that is not reverted is in force. */
export interface CatalogOverlaysTable {
  id: string;
  /** The compiled rows: gzip in base64. */
  overlay: string;
  rows: number;
  layouts: number;
  created_at: number;
  created_by: string;
  reverted_at: number | null;
  reverted_by: string | null;
  /** Place in the audit log of its import. */
  seq: number;
}

/** Catalogs that the service has decoded with. */
interface CatalogVersionsTable {
  version: string;
  /** JSON: see `decode/catalog-history.ts`. */
  state: string;
  first_used_at: number;
}

/** A VIN that waits to be looked up. */
export interface EnrichmentJobsTable extends JobColumns {
  vin: string;
  /** The source to ask next. */
  source: string;
  /** Sources that had nothing, or were given up, with commas between them. */
  tried: Generated<string>;
  /** Who asked first: see `usage/subject.ts`. */
  subject: string;
  /** 1: asked for without a key. Comes after the others. */
  public: number;
  created_at: number;
  /** The wait for it ends then. */
  deadline_at: number;
}

export interface EnrichmentResultsTable {
  vin: string;
  /** The source that knew it; null: none did. */
  source: string | null;
  /** What the source said, as JSON, before it is cleaned; null: nothing. */
  answer: string | null;
  settled_at: number;
  expires_at: number;
}

/** What all instances share about a source. */
export interface EnrichmentSourcesTable {
  name: string;
  /** Failed look-ups since the last that did not fail. */
  failures: Generated<number>;
  /** It is not asked before this. */
  closed_until: Generated<number>;
  /** When the next look-up would be due if they were evenly spread. */
  next_slot_at: Generated<number>;
}

/** One look-up that was made. */
export interface EnrichmentLookupsTable {
  id: string;
  source: string;
  outcome: 'found' | 'nothing' | 'failed';
  /** Why it failed. */
  reason: string | null;
  took_ms: number;
  /** From the first question for the VIN to its result; null where this look-up did not settle it. */
  waited_ms: number | null;
  created_at: number;
}

/** Messages to send; a sent one is deleted. */
export interface MailOutboxTable extends JobColumns {
  id: string;
  /** JSON: to, subject, text. */
  mail: string;
  created_at: number;
}

/** Work that comes back: see `jobs/schedule.ts`. */
export interface SchedulesTable extends JobColumns {
  name: string;
}

/** Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. */
export interface Schema extends AccountTables, BillingTables, FileTables, WebhookTables {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  decodes: DecodesTable;
  usage_counters: UsageCountersTable;
  usage_thresholds: UsageThresholdsTable;
  usage_ledger: UsageLedgerTable;
  idempotency: IdempotencyTable;
  public_secrets: PublicSecretsTable;
  change_counters: ChangeCountersTable;
  settings: SettingsTable;
  audit_head: AuditHeadTable;
  audit_log: AuditLogTable;
  correction_reports: CorrectionReportsTable;
  overrides: OverridesTable;
  catalog_overlays: CatalogOverlaysTable;
  catalog_versions: CatalogVersionsTable;
  enrichment_jobs: EnrichmentJobsTable;
  enrichment_results: EnrichmentResultsTable;
  enrichment_sources: EnrichmentSourcesTable;
  enrichment_lookups: EnrichmentLookupsTable;
  mail_outbox: MailOutboxTable;
  schedules: SchedulesTable;
}
