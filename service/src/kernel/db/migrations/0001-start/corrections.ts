/** Reports of wrong decodes, and what is decoded otherwise because of them. */
export const CORRECTION_TABLES = `
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
`;
