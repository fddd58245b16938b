import type { Generated } from 'kysely';

import type { Plan } from '../kernel/db/plans.ts';

/** Whose limit counts: the plan's, a number of the workspace's own, or none at all. */
export type LimitMode = 'plan' | 'fixed' | 'none';

/** Workspaces, their keys, and what they have used. */
export interface UsageTables {
  workspaces: {
    id: string;
    slug: string;
    plan: Plan;
    limit_mode: LimitMode;
    /** Set exactly when `limit_mode` is `fixed`. */
    monthly_limit: number | null;
    suspended_at: number | null;
    created_at: number;
    /** Its creator, as a keyed hash of the address; null: an operator, or no longer needed. */
    founder: Generated<string | null>;
    /** What its founder had spent of the free allowance before, in the month that it was founded in. */
    allowance_spent: Generated<number>;
    /** Start of that UTC month. */
    allowance_spent_in: Generated<number | null>;
  };
  api_keys: {
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
  };
  decodes: {
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
  };
  usage_counters: {
    subject: string;
    /** Start of the UTC month. */
    window_start: number;
    used: number;
  };
  /** The outbox of charging: shares of a month's limit that a workspace has reached, once each. */
  usage_thresholds: {
    workspace_id: string;
    window_start: number;
    usage_limit: number;
    percent: 80 | 100;
    used: number;
    window_end: number;
    reached_at: number;
    /** Null: not yet consumed. */
    handled_at: Generated<number | null>;
  };
  usage_ledger: {
    subject: string;
    window_start: number;
    /** Start of the UTC day. */
    day_start: number;
    /** Empty for public access: a part of the primary key cannot be null. */
    key_id: string;
    charged: number;
  };
  idempotency: {
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
  };
  public_secrets: {
    window_start: number;
    /** Hex. */
    secret: string;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends UsageTables {}
}
