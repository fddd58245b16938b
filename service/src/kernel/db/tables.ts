import { JOB_COLUMNS } from './job-columns.ts';
import { bigint, integer, key, table, text } from './table.ts';

const REFUSED = `SELECT RAISE(ABORT, 'the audit log is append-only')`;

/** Tables that all features share: settings, counters of changes and of tries, the audit log, mail and schedules. */
export const SHARED_TABLES = {
  change_counters: table({ topic: key().primary(), version: bigint().default(0) }),
  settings: table({ name: key().primary(), value: text() }),
  /** One row: the last entry of the audit log. An append to the log locks it. */
  audit_head: table(
    {
      id: integer().primary().check('= 1'),
      seq: bigint(),
      /** Empty while the log is. */
      hash: text(),
    },
    {
      alongside: {
        sqlite: `INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '');`,
        postgres: `INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '');`,
      },
    },
  ),
  /** Append-only: triggers refuse anything else. */
  audit_log: table(
    {
      seq: bigint().primary(),
      at: bigint(),
      actor: text(),
      action: text(),
      subject: key(),
      /** JSON. */
      details: text(),
      previous_hash: text(),
      hash: text(),
    },
    {
      indexes: { audit_log_subject: '(subject, seq)' },
      alongside: {
        sqlite: `
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
  BEGIN ${REFUSED}; END;
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
  BEGIN ${REFUSED}; END;`,
        postgres: `
CREATE FUNCTION marque_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
  END
  $function$;
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION marque_audit_refuse();`,
      },
    },
  ),
  /** Tries of passwords, codes and mails, counted in fixed windows. */
  auth_tries: table(
    { scope: text(), window_start: bigint(), tries: integer() },
    { primaryKey: ['scope', 'window_start'] },
  ),
  /** Messages to send; a sent one is deleted. */
  mail_outbox: table(
    {
      id: key().primary(),
      /** JSON: to, subject, text. */
      mail: text(),
      created_at: bigint(),
      ...JOB_COLUMNS,
    },
    { indexes: { mail_outbox_run: '(run_at)' } },
  ),
  /** Recurring work: see `jobs/`. */
  schedules: table({ name: key().primary(), ...JOB_COLUMNS }),
};
