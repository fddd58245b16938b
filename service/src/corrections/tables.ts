import { bigint, integer, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';

/** The states of a report of a wrong decode. */
export const REPORT_STATES = ['queued', 'accepted', 'rejected', 'superseded', 'reverted'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** Channels through which reports come in. */
const REPORT_SOURCES = ['public', 'subscriber', 'portal'] as const;
export type ReportSource = (typeof REPORT_SOURCES)[number];

/** Reports of wrong decodes, and the overrides made because of them. */
export const CORRECTION_TABLES = {
  /** Texts that anybody may send are stored as JSON, which escapes characters that PostgreSQL cannot store. */
  correction_reports: table(
    {
      id: key().primary(),
      /** The normalized VIN; null if the text sent is not a VIN. */
      vin: key().nullable(),
      /** The claim as sent, in JSON; of a VIN that cannot be read, without its serial number. */
      claim: text(),
      /** Hex SHA-256 of VIN and claim: equal for reports that say the same. */
      claim_hash: key(),
      /**
       * JSON of the report that the client claims to have got; not kept of a VIN that cannot be read, of a duplicate, or
       * longer than decodes after the decision.
       */
      actual_report: text().nullable(),
      /** JSON of the service's answer at that moment, with its evidence; kept as long. */
      answered: text().nullable(),
      source: oneOf(...REPORT_SOURCES),
      /** The reporter: see `workspaces/subject.ts`. Of the public, all of an IPv6 /48. */
      subject: key(),
      key_id: key().nullable(),
      /** Address to notify when it is decided. */
      notify_email: text().nullable(),
      /** The first undecided report with the same claim. */
      duplicate_of: key().nullable().references('correction_reports'),
      state: oneOf(...REPORT_STATES),
      created_at: bigint(),
      decided_at: bigint().nullable(),
      decided_by: text().nullable(),
      reason: text().nullable(),
      /** Superseded: the report whose correction resolves this one, too. */
      settled_by: key().nullable().references('correction_reports'),
    },
    {
      indexes: {
        correction_reports_state: '(state, id)',
        correction_reports_subject: '(subject, id)',
        correction_reports_vin: '(vin, id)',
        correction_reports_claim: '(claim_hash, id)',
        correction_reports_duplicates: '(duplicate_of)',
        // What every new report asks for, without reading the long texts of those before it.
        correction_reports_first: { on: '(claim_hash, state, duplicate_of, id)', since: 106 },
        correction_reports_waiting: { on: '(subject, state, key_id)', since: 106 },
        correction_reports_settled: { on: '(settled_by)', since: 106 },
        correction_reports_queued: { on: '(state, vin, id)', since: 107 },
        correction_reports_decided: { on: '(decided_at)', since: 108 },
      },
    },
  ),
  overrides: table(
    {
      id: key().primary(),
      report_id: key().references('correction_reports'),
      /** Set for one VIN; else `wmi` and `pattern` are. */
      vin: key().nullable(),
      wmi: key().nullable(),
      pattern: key().nullable(),
      year_from: integer().nullable(),
      year_to: integer().nullable(),
      /** JSON: field path to value, null for a field to leave out. */
      fields: text(),
      created_at: bigint(),
      created_by: text(),
      reverted_at: bigint().nullable(),
      reverted_by: text().nullable(),
      /** Place in the audit log of its last change: instances read on from the last one that they know. */
      changed_seq: bigint(),
    },
    {
      checks: ['(vin IS NULL) = (wmi IS NOT NULL)', '(wmi IS NULL) = (pattern IS NULL)'],
      indexes: { overrides_changed: '(changed_seq)', overrides_report: '(report_id)' },
    },
  ),
};

export type CorrectionTables = Rows<typeof CORRECTION_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends CorrectionTables {}
  interface Topics {
    corrections: 'overrides of decodes';
    'masked corrections': 'texts of overrides that an erasure has changed in place';
  }
}
