import type { Generated } from 'kysely';

/** What was decoded and charged. */
export interface UsageTables {
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
