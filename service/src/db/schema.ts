import type { Generated } from 'kysely';

/** The four plans, least first. */
export const PLANS = ['free', 'starter', 'business', 'enterprise'] as const;

export type Plan = (typeof PLANS)[number];

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

/** Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. */
export interface Schema {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  decodes: DecodesTable;
  usage_counters: UsageCountersTable;
  usage_ledger: UsageLedgerTable;
  idempotency: IdempotencyTable;
  public_secrets: PublicSecretsTable;
  change_counters: ChangeCountersTable;
  settings: SettingsTable;
}
