import { JOB_COLUMNS } from './job-columns.ts';

/** VINs that sources outside look up. */
export const ENRICHMENT_TABLES = `
  CREATE TABLE enrichment_jobs (
    vin text COLLATE "C" PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    tried text NOT NULL DEFAULT '',
    subject text COLLATE "C" NOT NULL,
    public integer NOT NULL CHECK (public IN (0, 1)),
    created_at bigint NOT NULL,
    deadline_at bigint NOT NULL,
    ${JOB_COLUMNS}
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
  CREATE TABLE enrichment_pending (
    vin text COLLATE "C" NOT NULL REFERENCES enrichment_jobs (vin) ON DELETE CASCADE,
    workspace_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (vin, workspace_id)
  );
`;
