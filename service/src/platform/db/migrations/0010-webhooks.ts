import type { Migration } from '../migrate.ts';

/**
 * Who wants to hear of events, what is on its way to them, and who waits for a VIN that is looked up. On PostgreSQL the
 * function that charges a batch is made anew: it writes the news that a workspace has reached a threshold.
 */
export const webhooks: Migration = {
  name: 'webhooks',
  sqlite: `
    CREATE TABLE webhook_endpoints (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      events TEXT NOT NULL,
      secret TEXT NOT NULL,
      old_secret TEXT,
      old_secret_until INTEGER,
      created_at INTEGER NOT NULL,
      disabled_at INTEGER,
      disabled_why TEXT CHECK (disabled_why IN ('person', 'gone', 'failing')),
      failures INTEGER NOT NULL,
      failing_since INTEGER,
      free_at INTEGER NOT NULL,
      holder TEXT,
      CHECK ((disabled_at IS NULL) = (disabled_why IS NULL)),
      CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
    ) STRICT;
    CREATE INDEX webhook_endpoints_workspace ON webhook_endpoints (workspace_id);
    CREATE TABLE webhook_deliveries (
      event_id TEXT NOT NULL,
      endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      vin TEXT,
      data TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
      tries INTEGER NOT NULL,
      due_at INTEGER,
      tried_at INTEGER,
      status INTEGER,
      fault TEXT,
      PRIMARY KEY (event_id, endpoint_id),
      CHECK ((state = 'waiting') = (due_at IS NOT NULL))
    ) STRICT;
    CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, created_at);
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
    CREATE INDEX webhook_deliveries_vin ON webhook_deliveries (vin) WHERE vin IS NOT NULL;
    CREATE TABLE enrichment_waiters (
      vin TEXT NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL,
      PRIMARY KEY (vin, workspace_id)
    ) STRICT;
    ALTER TABLE usage_counters ADD COLUMN told_limit INTEGER;
    ALTER TABLE usage_counters ADD COLUMN told_percent INTEGER NOT NULL DEFAULT 0;
  `,
  postgres: `
    CREATE TABLE webhook_endpoints (
      id text COLLATE "C" PRIMARY KEY,
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      url text NOT NULL,
      events text NOT NULL,
      secret text NOT NULL,
      old_secret text,
      old_secret_until bigint,
      created_at bigint NOT NULL,
      disabled_at bigint,
      disabled_why text CHECK (disabled_why IN ('person', 'gone', 'failing')),
      failures integer NOT NULL,
      failing_since bigint,
      free_at bigint NOT NULL,
      holder text COLLATE "C",
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
      state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
      tries integer NOT NULL,
      due_at bigint,
      tried_at bigint,
      status integer,
      fault text,
      PRIMARY KEY (event_id, endpoint_id),
      CHECK ((state = 'waiting') = (due_at IS NOT NULL))
    );
    CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, created_at);
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
    CREATE INDEX webhook_deliveries_vin ON webhook_deliveries (vin) WHERE vin IS NOT NULL;
    CREATE TABLE enrichment_waiters (
      vin text COLLATE "C" NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
      workspace_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (vin, workspace_id)
    );
    ALTER TABLE usage_counters ADD COLUMN told_limit bigint, ADD COLUMN told_percent integer NOT NULL DEFAULT 0;
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
      g_told_limit bigint[];
      g_told_percent integer[];
    BEGIN
      -- A charge that is answered is durable, whatever the server's default.
      PERFORM set_config('synchronous_commit', 'on', true);

      INSERT INTO usage_counters (subject, window_start, used)
        SELECT g.subject, g.start, 0 FROM unnest(g_subject, g_start) AS g (subject, start)
        ORDER BY g.subject COLLATE "C", g.start
        ON CONFLICT DO NOTHING;
      WITH locked AS MATERIALIZED (
        SELECT g.number, c.used, c.told_limit, c.told_percent
        FROM unnest(g_subject, g_start) WITH ORDINALITY AS g (subject, start, number)
        JOIN usage_counters AS c ON c.subject = g.subject AND c.window_start = g.start
        ORDER BY c.subject, c.window_start
        FOR UPDATE OF c
      )
      SELECT array_agg(locked.used ORDER BY locked.number), array_agg(locked.told_limit ORDER BY locked.number),
          array_agg(locked.told_percent ORDER BY locked.number)
        INTO g_used, g_told_limit, g_told_percent FROM locked;

      IF retried AND EXISTS (SELECT FROM decodes WHERE id = ANY (d_id)) THEN
        RETURN QUERY
          SELECT count(stored.id)::integer, g_used[r.group_number]
          FROM unnest(r_group) WITH ORDINALITY AS r (group_number, number)
          LEFT JOIN unnest(d_request, d_id) AS d (request, id) ON d.request = r.number
          LEFT JOIN decodes AS stored ON stored.id = d.id
          GROUP BY r.number, r.group_number
          ORDER BY r.number;
        RETURN;
      END IF;

      RETURN QUERY
      WITH wanted AS (
        SELECT r.*, CASE WHEN r.key IS NOT NULL AND EXISTS (
            SELECT FROM idempotency AS i
            WHERE i.scope = g_subject[r.group_number] AND i.idempotency_key = r.key AND i.expires_at > r.sent
          ) THEN -1 ELSE r.size END AS size_or_conflict
        FROM unnest(r_group, r_size, r_key, r_body, r_outcome, r_sent, r_expires)
          WITH ORDINALITY AS r (group_number, size, key, body, outcome, sent, expires, number)
      ), placed AS (
        SELECT wanted.*, g_used[group_number] + sum(greatest(size_or_conflict, 0))
          OVER (PARTITION BY group_number ORDER BY number) - greatest(size_or_conflict, 0) AS used_before
        FROM wanted
      ), decided AS MATERIALIZED (
        SELECT placed.*, (CASE
            WHEN size_or_conflict < 0 THEN -1
            WHEN g_limit[group_number] IS NULL THEN size
            ELSE least(size, greatest(g_limit[group_number] - used_before, 0))
          END)::integer AS granted
        FROM placed
      ), result AS MATERIALIZED (
        SELECT number, decided.granted, (g_used[group_number] + sum(greatest(decided.granted, 0))
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
            g_limit[group_number], greatest(g_limit[group_number] - result.used_after, 0), g_end[group_number], expires
          FROM decided JOIN result USING (number) WHERE key IS NOT NULL AND decided.granted > 0
          ON CONFLICT (scope, idempotency_key) DO UPDATE SET
            body_hash = excluded.body_hash, decode_id = excluded.decode_id, outcome = excluded.outcome,
            usage_limit = excluded.usage_limit, usage_remaining = excluded.usage_remaining,
            usage_reset_at = excluded.usage_reset_at, expires_at = excluded.expires_at
      )
      SELECT result.granted, result.used_after FROM result ORDER BY number;

      -- The same rule as in usage/thresholds.ts.
      WITH reached AS MATERIALIZED (
        SELECT c.subject, c.window_start, c.used, g.window_end, g.most, p.percent
        FROM unnest(g_subject, g_start, g_end, g_limit, g_told_limit, g_told_percent)
          AS g (subject, start, window_end, most, told_limit, told_percent)
        JOIN usage_counters AS c ON c.subject = g.subject AND c.window_start = g.start
        JOIN (VALUES (80), (100)) AS p (percent) ON c.used * 100 >= g.most * p.percent
        WHERE g.most > 0 AND g.subject LIKE 'workspace:%'
          AND (g.told_limit IS DISTINCT FROM g.most OR p.percent > g.told_percent)
      ), told AS (
        UPDATE usage_counters AS c SET told_limit = r.most, told_percent = r.percent
        FROM (SELECT subject, window_start, most, max(percent) AS percent FROM reached GROUP BY 1, 2, 3) AS r
        WHERE c.subject = r.subject AND c.window_start = r.window_start
      )
      INSERT INTO webhook_deliveries (event_id, endpoint_id, type, data, created_at, state, tries, due_at)
        SELECT concat_ws('-', 'usage', e.workspace_id, r.window_start, r.most, r.percent), e.id, 'usage.threshold',
          json_build_object('percent', r.percent, 'limit', r.most, 'used', r.used,
            'windowStartMs', r.window_start, 'windowEndMs', r.window_end)::text,
          at.latest, 'waiting', 0, at.latest
        FROM reached AS r
        JOIN webhook_endpoints AS e ON e.workspace_id = substr(r.subject, 11) AND e.disabled_at IS NULL
          AND ',' || e.events || ',' LIKE '%,usage.threshold,%'
        CROSS JOIN (SELECT max(latest) AS latest FROM unnest(d_created) AS d (latest)) AS at
        -- One that is being deleted is waited for, and then left out.
        FOR KEY SHARE OF e
        ON CONFLICT DO NOTHING;
    END
    $function$;
  `,
};
