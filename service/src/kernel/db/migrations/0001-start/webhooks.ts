/** Where events are sent, and the events. */
export const WEBHOOK_TABLES = `
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
`;
