/** Workspaces, their keys, and what they have used. */
export const USAGE_TABLES = `
  CREATE TABLE workspaces (
    id text COLLATE "C" PRIMARY KEY,
    slug text COLLATE "C" NOT NULL UNIQUE,
    plan text NOT NULL CHECK (plan IN ('free', 'starter', 'business', 'enterprise')),
    limit_mode text NOT NULL DEFAULT 'plan' CHECK (limit_mode IN ('plan', 'fixed', 'none')),
    monthly_limit bigint CHECK (monthly_limit >= 0),
    suspended_at bigint,
    created_at bigint NOT NULL,
    founder text COLLATE "C",
    allowance_spent bigint NOT NULL DEFAULT 0 CHECK (allowance_spent >= 0),
    allowance_spent_in bigint,
    CHECK ((limit_mode = 'fixed') = (monthly_limit IS NOT NULL))
  );
  CREATE INDEX workspaces_founder ON workspaces (founder);
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
  CREATE TABLE decodes (
    id text COLLATE "C" PRIMARY KEY,
    subject text COLLATE "C" NOT NULL,
    key_id text COLLATE "C",
    vin text COLLATE "C" NOT NULL,
    outcome text NOT NULL,
    report text NOT NULL,
    charged integer NOT NULL CHECK (charged IN (0, 1)),
    created_at bigint NOT NULL
  );
  CREATE INDEX decodes_subject ON decodes (subject, id);
  CREATE INDEX decodes_uncharged ON decodes (subject, vin) WHERE charged = 0;
  CREATE TABLE usage_counters (
    subject text COLLATE "C" NOT NULL,
    window_start bigint NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    PRIMARY KEY (subject, window_start)
  ) WITHOUT ROWID;
  CREATE TABLE usage_thresholds (
    workspace_id text COLLATE "C" NOT NULL,
    window_start bigint NOT NULL,
    usage_limit bigint NOT NULL,
    percent integer NOT NULL,
    used bigint NOT NULL,
    window_end bigint NOT NULL,
    reached_at bigint NOT NULL,
    handled_at bigint,
    PRIMARY KEY (workspace_id, window_start, usage_limit, percent)
  ) WITHOUT ROWID;
  CREATE INDEX usage_thresholds_new ON usage_thresholds (reached_at) WHERE handled_at IS NULL;
  CREATE TABLE usage_ledger (
    subject text COLLATE "C" NOT NULL,
    window_start bigint NOT NULL,
    day_start bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    charged bigint NOT NULL CHECK (charged > 0),
    PRIMARY KEY (subject, window_start, day_start, key_id)
  ) WITHOUT ROWID;
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
`;
