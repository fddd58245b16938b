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
