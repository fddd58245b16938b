import type { Migration } from '../migrate.ts';

/** Workspaces, keys, stored decodes and usage. */
export const start: Migration = {
  name: 'start',
  sqlite: `
    CREATE TABLE workspaces (
      id TEXT PRIMARY KEY,
      slug TEXT NOT NULL UNIQUE,
      plan TEXT NOT NULL CHECK (plan IN ('free', 'starter', 'business', 'enterprise')),
      limit_mode TEXT NOT NULL DEFAULT 'plan' CHECK (limit_mode IN ('plan', 'fixed', 'none')),
      monthly_limit INTEGER CHECK (monthly_limit >= 0),
      suspended_at INTEGER,
      created_at INTEGER NOT NULL,
      CHECK ((limit_mode = 'fixed') = (monthly_limit IS NOT NULL))
    ) STRICT;
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id),
      name TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      last4 TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      last_used_at INTEGER,
      rotated_from TEXT REFERENCES api_keys (id)
    ) STRICT;
    CREATE INDEX api_keys_workspace ON api_keys (workspace_id, created_at);
    CREATE TABLE decodes (
      id TEXT PRIMARY KEY,
      subject TEXT NOT NULL,
      key_id TEXT,
      vin TEXT NOT NULL,
      outcome TEXT NOT NULL,
      report TEXT NOT NULL,
      charged INTEGER NOT NULL CHECK (charged IN (0, 1)),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX decodes_subject ON decodes (subject, id);
    CREATE TABLE usage_counters (
      subject TEXT NOT NULL,
      window_start INTEGER NOT NULL,
      used INTEGER NOT NULL CHECK (used >= 0),
      PRIMARY KEY (subject, window_start)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE usage_ledger (
      subject TEXT NOT NULL,
      window_start INTEGER NOT NULL,
      day_start INTEGER NOT NULL,
      key_id TEXT NOT NULL,
      charged INTEGER NOT NULL CHECK (charged > 0),
      PRIMARY KEY (subject, window_start, day_start, key_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE idempotency (
      scope TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      body_hash TEXT NOT NULL,
      decode_id TEXT,
      outcome TEXT NOT NULL,
      usage_limit INTEGER,
      usage_remaining INTEGER,
      usage_reset_at INTEGER,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (scope, idempotency_key)
    ) STRICT;
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);
    CREATE TABLE public_secrets (window_start INTEGER PRIMARY KEY, secret TEXT NOT NULL) STRICT;
    CREATE TABLE change_counters (topic TEXT PRIMARY KEY, version INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  postgres: `
    CREATE TABLE workspaces (
      id text COLLATE "C" PRIMARY KEY,
      slug text COLLATE "C" NOT NULL UNIQUE,
      plan text NOT NULL CHECK (plan IN ('free', 'starter', 'business', 'enterprise')),
      limit_mode text NOT NULL DEFAULT 'plan' CHECK (limit_mode IN ('plan', 'fixed', 'none')),
      monthly_limit bigint CHECK (monthly_limit >= 0),
      suspended_at bigint,
      created_at bigint NOT NULL,
      CHECK ((limit_mode = 'fixed') = (monthly_limit IS NOT NULL))
    );
    CREATE TABLE api_keys (
      id text COLLATE "C" PRIMARY KEY,
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
      name text NOT NULL,
      hash text COLLATE "C" NOT NULL UNIQUE,
      prefix text NOT NULL,
      last4 text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint,
      revoked_at bigint,
      last_used_at bigint,
      rotated_from text COLLATE "C" REFERENCES api_keys (id)
    );
    CREATE INDEX api_keys_workspace ON api_keys (workspace_id, created_at);
    -- Ids are UUIDv7, so a range of ids is a range of time: looking one up touches one partition only.
    CREATE TABLE decodes (
      id text COLLATE "C" PRIMARY KEY,
      subject text COLLATE "C" NOT NULL,
      key_id text COLLATE "C",
      vin text COLLATE "C" NOT NULL,
      outcome text NOT NULL,
      report text NOT NULL,
      charged integer NOT NULL CHECK (charged IN (0, 1)),
      created_at bigint NOT NULL
    ) PARTITION BY RANGE (id);
    CREATE INDEX decodes_subject ON decodes (subject, id);
    CREATE TABLE decodes_default PARTITION OF decodes DEFAULT;
    CREATE TABLE usage_counters (
      subject text COLLATE "C" NOT NULL,
      window_start bigint NOT NULL,
      used bigint NOT NULL CHECK (used >= 0),
      PRIMARY KEY (subject, window_start)
    ) WITH (fillfactor = 50);
    CREATE TABLE usage_ledger (
      subject text COLLATE "C" NOT NULL,
      window_start bigint NOT NULL,
      day_start bigint NOT NULL,
      key_id text COLLATE "C" NOT NULL,
      charged bigint NOT NULL CHECK (charged > 0),
      PRIMARY KEY (subject, window_start, day_start, key_id)
    ) WITH (fillfactor = 50);
    CREATE TABLE idempotency (
      scope text COLLATE "C" NOT NULL,
      idempotency_key text COLLATE "C" NOT NULL,
      body_hash text NOT NULL,
      decode_id text COLLATE "C",
      outcome text NOT NULL,
      usage_limit bigint,
      usage_remaining bigint,
      usage_reset_at bigint,
      expires_at bigint NOT NULL,
      PRIMARY KEY (scope, idempotency_key)
    );
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);
    CREATE TABLE public_secrets (window_start bigint PRIMARY KEY, secret text NOT NULL);
    CREATE TABLE change_counters (topic text COLLATE "C" PRIMARY KEY, version bigint NOT NULL DEFAULT 0);
    CREATE TABLE settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
  `,
};
