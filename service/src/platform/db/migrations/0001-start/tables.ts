/**
 * Every table, in the terms of PostgreSQL, with `WITHOUT ROWID` for SQLite. The `auth_` tables are in the column types
 * that better-auth's Kysely adapter writes.
 */
export const TABLES = `
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
  CREATE TABLE change_counters (topic text COLLATE "C" PRIMARY KEY, version bigint NOT NULL DEFAULT 0);
  CREATE TABLE settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
  CREATE TABLE audit_head (
    id integer PRIMARY KEY CHECK (id = 1),
    seq bigint NOT NULL,
    hash text NOT NULL
  );
  INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '');
  CREATE TABLE audit_log (
    seq bigint PRIMARY KEY,
    at bigint NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text COLLATE "C" NOT NULL,
    details text NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL
  );
  CREATE INDEX audit_log_subject ON audit_log (subject, seq);
  CREATE TABLE correction_reports (
    id text COLLATE "C" PRIMARY KEY,
    vin text COLLATE "C",
    claim text NOT NULL,
    claim_hash text COLLATE "C" NOT NULL,
    actual_report text,
    answered text,
    source text NOT NULL CHECK (source IN ('public', 'subscriber', 'portal')),
    subject text COLLATE "C" NOT NULL,
    key_id text COLLATE "C",
    notify_email text,
    duplicate_of text COLLATE "C" REFERENCES correction_reports (id),
    state text NOT NULL CHECK (state IN ('queued', 'accepted', 'rejected', 'superseded', 'reverted')),
    created_at bigint NOT NULL,
    decided_at bigint,
    decided_by text,
    reason text,
    settled_by text COLLATE "C" REFERENCES correction_reports (id)
  );
  CREATE INDEX correction_reports_state ON correction_reports (state, id);
  CREATE INDEX correction_reports_subject ON correction_reports (subject, id);
  CREATE INDEX correction_reports_vin ON correction_reports (vin, id);
  CREATE INDEX correction_reports_claim ON correction_reports (claim_hash, id);
  CREATE INDEX correction_reports_duplicates ON correction_reports (duplicate_of);
  CREATE TABLE overrides (
    id text COLLATE "C" PRIMARY KEY,
    report_id text COLLATE "C" NOT NULL REFERENCES correction_reports (id),
    vin text COLLATE "C",
    wmi text COLLATE "C",
    pattern text COLLATE "C",
    year_from integer,
    year_to integer,
    fields text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    reverted_at bigint,
    reverted_by text,
    changed_seq bigint NOT NULL,
    CHECK ((vin IS NULL) = (wmi IS NOT NULL)),
    CHECK ((wmi IS NULL) = (pattern IS NULL))
  );
  CREATE INDEX overrides_changed ON overrides (changed_seq);
  CREATE INDEX overrides_report ON overrides (report_id);
  CREATE TABLE catalog_overlays (
    id text COLLATE "C" PRIMARY KEY,
    overlay text NOT NULL,
    rows bigint NOT NULL,
    layouts bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    reverted_at bigint,
    reverted_by text,
    seq bigint NOT NULL
  );
  CREATE INDEX catalog_overlays_in_force ON catalog_overlays (seq) WHERE reverted_at IS NULL;
  CREATE TABLE catalog_versions (
    version text COLLATE "C" PRIMARY KEY,
    state text NOT NULL,
    first_used_at bigint NOT NULL
  );
  CREATE TABLE enrichment_jobs (
    vin text COLLATE "C" PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    tried text NOT NULL DEFAULT '',
    subject text COLLATE "C" NOT NULL,
    public integer NOT NULL CHECK (public IN (0, 1)),
    created_at bigint NOT NULL,
    deadline_at bigint NOT NULL,
    run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text
  );
  CREATE INDEX enrichment_jobs_run ON enrichment_jobs (source, run_at);
  CREATE INDEX enrichment_jobs_subject ON enrichment_jobs (subject);
  CREATE TABLE enrichment_results (
    vin text COLLATE "C" PRIMARY KEY,
    source text COLLATE "C",
    answer text,
    settled_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CHECK ((source IS NULL) = (answer IS NULL))
  );
  CREATE INDEX enrichment_results_expiry ON enrichment_results (expires_at);
  CREATE TABLE enrichment_sources (
    name text COLLATE "C" PRIMARY KEY,
    failures integer NOT NULL DEFAULT 0,
    closed_until bigint NOT NULL DEFAULT 0,
    next_slot_at bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE enrichment_lookups (
    id text COLLATE "C" PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('found', 'nothing', 'failed')),
    reason text,
    took_ms bigint NOT NULL,
    waited_ms bigint,
    created_at bigint NOT NULL
  );
  CREATE INDEX enrichment_lookups_source ON enrichment_lookups (source, created_at);
  CREATE TABLE auth_users (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    email text COLLATE "C" NOT NULL UNIQUE,
    email_verified boolean NOT NULL,
    image text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    two_factor_enabled boolean
  );
  CREATE TABLE auth_sessions (
    id text COLLATE "C" PRIMARY KEY,
    expires_at timestamptz NOT NULL,
    token text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    ip_address text,
    user_agent text,
    user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
  );
  CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
  CREATE TABLE auth_accounts (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamptz,
    refresh_token_expires_at timestamptz,
    scope text,
    password text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE INDEX auth_accounts_user ON auth_accounts (user_id);
  CREATE TABLE auth_verifications (
    id text COLLATE "C" PRIMARY KEY,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
  CREATE TABLE auth_two_factors (
    id text COLLATE "C" PRIMARY KEY,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    verified boolean,
    failed_verification_count integer,
    locked_until timestamptz
  );
  CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);
  CREATE TABLE workspace_members (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    created_at bigint NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  );
  CREATE INDEX workspace_members_user ON workspace_members (user_id);
  CREATE TABLE administrators (
    user_id text COLLATE "C" PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL
  );
  CREATE TABLE account_links (
    id text COLLATE "C" PRIMARY KEY,
    purpose text NOT NULL CHECK (purpose IN ('sign-up', 'invitation', 'reset')),
    email text NOT NULL,
    slug text,
    workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
    role text,
    invited_by text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX account_links_email ON account_links (email);
  CREATE INDEX account_links_workspace ON account_links (workspace_id);
  CREATE TABLE auth_tries (
    scope text NOT NULL,
    window_start bigint NOT NULL,
    tries integer NOT NULL,
    PRIMARY KEY (scope, window_start)
  );
  CREATE TABLE mail_outbox (
    id text COLLATE "C" PRIMARY KEY,
    mail text NOT NULL,
    created_at bigint NOT NULL,
    run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text
  );
  CREATE INDEX mail_outbox_run ON mail_outbox (run_at);
  CREATE TABLE schedules (
    name text COLLATE "C" PRIMARY KEY,
    run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text
  );
  CREATE TABLE vin_files (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    created_by text NOT NULL,
    name text NOT NULL,
    source text NOT NULL,
    vin_column integer NOT NULL,
    column_name text NOT NULL,
    has_header integer NOT NULL CHECK (has_header IN (0, 1)),
    width integer NOT NULL,
    bytes integer NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'stopped', 'completed')),
    row_count integer NOT NULL,
    done integer NOT NULL,
    delivered integer NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text
  );
  CREATE INDEX vin_files_workspace ON vin_files (workspace_id, id);
  CREATE INDEX vin_files_state ON vin_files (state, id);
  CREATE TABLE vin_file_rows (
    file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
    row integer NOT NULL,
    decode_id text COLLATE "C",
    PRIMARY KEY (file_id, row)
  ) WITHOUT ROWID;
  CREATE TABLE workspace_billing (
    subscription_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    customer_id text NOT NULL,
    plan text NOT NULL,
    status text NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE INDEX workspace_billing_by_workspace ON workspace_billing (workspace_id);
  CREATE TABLE webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    url text NOT NULL,
    secret text NOT NULL,
    old_secret text,
    old_secret_until bigint,
    created_at bigint NOT NULL,
    disabled_at bigint,
    disabled_why text CHECK (disabled_why IN ('person', 'gone', 'failing')),
    failures integer NOT NULL,
    failing_since bigint,
    run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    CHECK ((disabled_at IS NULL) = (disabled_why IS NULL)),
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
  );
  CREATE INDEX webhook_endpoints_workspace ON webhook_endpoints (workspace_id);
  CREATE TABLE webhook_subscriptions (
    endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event text COLLATE "C" NOT NULL,
    PRIMARY KEY (endpoint_id, event)
  ) WITHOUT ROWID;
  CREATE TABLE webhook_deliveries (
    event_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    type text NOT NULL,
    vin text COLLATE "C",
    data text NOT NULL,
    created_at bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    attempts integer NOT NULL,
    run_at bigint,
    attempted_at bigint,
    status integer,
    last_error text,
    PRIMARY KEY (event_id, endpoint_id),
    CHECK ((state = 'pending') = (run_at IS NOT NULL))
  );
  CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, created_at);
  CREATE INDEX webhook_deliveries_run ON webhook_deliveries (run_at) WHERE run_at IS NOT NULL;
  CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, run_at) WHERE run_at IS NOT NULL;
  CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
  CREATE INDEX webhook_deliveries_vin ON webhook_deliveries (vin) WHERE vin IS NOT NULL;
  CREATE TABLE enrichment_pending (
    vin text COLLATE "C" NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
    workspace_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (vin, workspace_id)
  );
`;
