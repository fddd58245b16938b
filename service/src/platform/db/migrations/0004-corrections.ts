import type { Migration } from '../migrate.ts';

/** Decode issues as reported, what was made of them, and the audit log. */
export const corrections: Migration = {
  name: 'corrections',
  sqlite: `
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
  `,
  postgres: `
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
  `,
};
