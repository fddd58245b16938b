/** Every table on SQLite. The `auth_` tables are in the column types that better-auth's Kysely adapter writes: times as ISO texts. */
export const SQLITE_TABLES = `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL CHECK (plan IN ('free', 'starter', 'business', 'enterprise')),
    limit_mode TEXT NOT NULL DEFAULT 'plan' CHECK (limit_mode IN ('plan', 'fixed', 'none')),
    monthly_limit INTEGER CHECK (monthly_limit >= 0),
    suspended_at INTEGER,
    created_at INTEGER NOT NULL,
    founder TEXT,
    allowance_spent INTEGER NOT NULL DEFAULT 0 CHECK (allowance_spent >= 0),
    allowance_spent_in INTEGER,
    CHECK ((limit_mode = 'fixed') = (monthly_limit IS NOT NULL))
  ) STRICT;
  CREATE INDEX workspaces_founder ON workspaces (founder);
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
  CREATE INDEX decodes_uncharged ON decodes (subject, vin) WHERE charged = 0;
  CREATE TABLE usage_counters (
    subject TEXT NOT NULL,
    window_start INTEGER NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (subject, window_start)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE usage_thresholds (
    workspace_id TEXT NOT NULL,
    window_start INTEGER NOT NULL,
    usage_limit INTEGER NOT NULL,
    percent INTEGER NOT NULL,
    used INTEGER NOT NULL,
    window_end INTEGER NOT NULL,
    reached_at INTEGER NOT NULL,
    handled_at INTEGER,
    PRIMARY KEY (workspace_id, window_start, usage_limit, percent)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_thresholds_new ON usage_thresholds (reached_at) WHERE handled_at IS NULL;
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
  CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '');
  CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_log_subject ON audit_log (subject, seq);
  CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TABLE correction_reports (
    id TEXT PRIMARY KEY,
    vin TEXT,
    claim TEXT NOT NULL,
    claim_hash TEXT NOT NULL,
    actual_report TEXT,
    answered TEXT,
    source TEXT NOT NULL CHECK (source IN ('public', 'subscriber', 'portal')),
    subject TEXT NOT NULL,
    key_id TEXT,
    notify_email TEXT,
    duplicate_of TEXT REFERENCES correction_reports (id),
    state TEXT NOT NULL CHECK (state IN ('queued', 'accepted', 'rejected', 'superseded', 'reverted')),
    created_at INTEGER NOT NULL,
    decided_at INTEGER,
    decided_by TEXT,
    reason TEXT,
    settled_by TEXT REFERENCES correction_reports (id)
  ) STRICT;
  CREATE INDEX correction_reports_state ON correction_reports (state, id);
  CREATE INDEX correction_reports_subject ON correction_reports (subject, id);
  CREATE INDEX correction_reports_vin ON correction_reports (vin, id);
  CREATE INDEX correction_reports_claim ON correction_reports (claim_hash, id);
  CREATE INDEX correction_reports_duplicates ON correction_reports (duplicate_of);
  CREATE TABLE overrides (
    id TEXT PRIMARY KEY,
    report_id TEXT NOT NULL REFERENCES correction_reports (id),
    vin TEXT,
    wmi TEXT,
    pattern TEXT,
    year_from INTEGER,
    year_to INTEGER,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    reverted_at INTEGER,
    reverted_by TEXT,
    changed_seq INTEGER NOT NULL,
    CHECK ((vin IS NULL) = (wmi IS NOT NULL)),
    CHECK ((wmi IS NULL) = (pattern IS NULL))
  ) STRICT;
  CREATE INDEX overrides_changed ON overrides (changed_seq);
  CREATE INDEX overrides_report ON overrides (report_id);
  CREATE TABLE catalog_overlays (
    id TEXT PRIMARY KEY,
    overlay TEXT NOT NULL,
    rows INTEGER NOT NULL,
    layouts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    reverted_at INTEGER,
    reverted_by TEXT,
    seq INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX catalog_overlays_in_force ON catalog_overlays (seq) WHERE reverted_at IS NULL;
  CREATE TABLE enrichment_jobs (
    vin TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    tried TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL,
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    run_at INTEGER NOT NULL,
    locked_by TEXT,
    locked_until INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
  CREATE INDEX enrichment_jobs_run ON enrichment_jobs (source, run_at);
  CREATE INDEX enrichment_jobs_subject ON enrichment_jobs (subject);
  CREATE TABLE enrichment_results (
    vin TEXT PRIMARY KEY,
    source TEXT,
    answer TEXT,
    settled_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((source IS NULL) = (answer IS NULL))
  ) STRICT;
  CREATE INDEX enrichment_results_expiry ON enrichment_results (expires_at);
  CREATE TABLE enrichment_sources (
    name TEXT PRIMARY KEY,
    failures INTEGER NOT NULL DEFAULT 0,
    closed_until INTEGER NOT NULL DEFAULT 0,
    next_slot_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE enrichment_lookups (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('found', 'nothing', 'failed')),
    reason TEXT,
    took_ms INTEGER NOT NULL,
    waited_ms INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX enrichment_lookups_source ON enrichment_lookups (source, created_at);
  CREATE TABLE auth_users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    image TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    two_factor_enabled INTEGER
  ) STRICT;
  CREATE TABLE auth_sessions (
    id TEXT PRIMARY KEY,
    expires_at TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    ip_address TEXT,
    user_agent TEXT,
    user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
  CREATE TABLE auth_accounts (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    access_token TEXT,
    refresh_token TEXT,
    id_token TEXT,
    access_token_expires_at TEXT,
    refresh_token_expires_at TEXT,
    scope TEXT,
    password TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX auth_accounts_user ON auth_accounts (user_id);
  CREATE TABLE auth_verifications (
    id TEXT PRIMARY KEY,
    identifier TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
  CREATE TABLE auth_two_factors (
    id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    backup_codes TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    verified INTEGER,
    failed_verification_count INTEGER,
    locked_until TEXT
  ) STRICT;
  CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);
  CREATE TABLE workspace_members (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  ) STRICT;
  CREATE INDEX workspace_members_user ON workspace_members (user_id);
  CREATE TABLE administrators (
    user_id TEXT PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE account_links (
    id TEXT PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('sign-up', 'invitation', 'reset')),
    email TEXT NOT NULL,
    slug TEXT,
    workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
    role TEXT,
    invited_by TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX account_links_email ON account_links (email);
  CREATE INDEX account_links_workspace ON account_links (workspace_id);
  CREATE TABLE auth_tries (
    scope TEXT NOT NULL,
    window_start INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (scope, window_start)
  ) STRICT;
  CREATE TABLE mail_outbox (
    id TEXT PRIMARY KEY,
    mail TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    run_at INTEGER NOT NULL,
    locked_by TEXT,
    locked_until INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
  CREATE INDEX mail_outbox_run ON mail_outbox (run_at);
  CREATE TABLE schedules (
    name TEXT PRIMARY KEY,
    run_at INTEGER NOT NULL,
    locked_by TEXT,
    locked_until INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
  CREATE TABLE vin_files (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    created_by TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    vin_column INTEGER NOT NULL,
    column_name TEXT NOT NULL,
    has_header INTEGER NOT NULL CHECK (has_header IN (0, 1)),
    width INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'stopped', 'completed')),
    row_count INTEGER NOT NULL,
    done INTEGER NOT NULL,
    delivered INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    run_at INTEGER NOT NULL,
    locked_by TEXT,
    locked_until INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
  CREATE INDEX vin_files_workspace ON vin_files (workspace_id, id);
  CREATE INDEX vin_files_state ON vin_files (state, id);
  CREATE TABLE vin_file_rows (
    file_id TEXT NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
    row INTEGER NOT NULL,
    decode_id TEXT,
    PRIMARY KEY (file_id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE workspace_billing (
    subscription_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    customer_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    status TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX workspace_billing_by_workspace ON workspace_billing (workspace_id);
  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    old_secret TEXT,
    old_secret_until INTEGER,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    disabled_why TEXT CHECK (disabled_why IN ('person', 'gone', 'failing')),
    failures INTEGER NOT NULL,
    failing_since INTEGER,
    run_at INTEGER NOT NULL,
    locked_by TEXT,
    locked_until INTEGER NOT NULL DEFAULT 0,
    CHECK ((disabled_at IS NULL) = (disabled_why IS NULL)),
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
  ) STRICT;
  CREATE INDEX webhook_endpoints_workspace ON webhook_endpoints (workspace_id);
  CREATE TABLE webhook_subscriptions (
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, event)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE webhook_deliveries (
    event_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    vin TEXT,
    data TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    attempts INTEGER NOT NULL,
    run_at INTEGER,
    attempted_at INTEGER,
    status INTEGER,
    last_error TEXT,
    PRIMARY KEY (event_id, endpoint_id),
    CHECK ((state = 'pending') = (run_at IS NOT NULL))
  ) STRICT;
  CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, created_at);
  CREATE INDEX webhook_deliveries_run ON webhook_deliveries (run_at) WHERE run_at IS NOT NULL;
  CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, run_at) WHERE run_at IS NOT NULL;
  CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
  CREATE INDEX webhook_deliveries_vin ON webhook_deliveries (vin) WHERE vin IS NOT NULL;
  CREATE TABLE enrichment_pending (
    vin TEXT NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
    workspace_id TEXT NOT NULL,
    PRIMARY KEY (vin, workspace_id)
  ) STRICT;
`;
