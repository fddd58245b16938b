import { JOB_COLUMNS } from './job-columns.ts';

/** What all features share: settings, counters of changes, the audit log, mail and schedules. */
export const SHARED_TABLES = `
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
  CREATE TABLE mail_outbox (
    id text COLLATE "C" PRIMARY KEY,
    mail text NOT NULL,
    created_at bigint NOT NULL,
    ${JOB_COLUMNS}
  );
  CREATE INDEX mail_outbox_run ON mail_outbox (run_at);
  CREATE TABLE schedules (
    name text COLLATE "C" PRIMARY KEY,
    ${JOB_COLUMNS}
  );
`;
