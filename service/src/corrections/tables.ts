/** The states of a report of a wrong decode. */
export const REPORT_STATES = ['queued', 'accepted', 'rejected', 'superseded', 'reverted'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** How a report came in. */
export type ReportSource = 'public' | 'subscriber' | 'portal';

/** Reports of wrong decodes, and what is decoded otherwise because of them. */
export interface CorrectionTables {
  /** Texts that anybody may send are stored as JSON, which escapes what PostgreSQL cannot hold. */
  correction_reports: {
    id: string;
    /** The VIN as it is read; null where the one that was sent is none. */
    vin: string | null;
    /** JSON of what was claimed, as it was sent. */
    claim: string;
    /** Hex SHA-256 of VIN and claim: equal for reports that say the same. */
    claim_hash: string;
    /** JSON of the report that the client says it got. */
    actual_report: string | null;
    /** JSON of what the service answered at that moment, with its evidence. */
    answered: string | null;
    source: ReportSource;
    /** Who reported: see `usage/subject.ts`. */
    subject: string;
    key_id: string | null;
    /** Address to notify when it is decided. */
    notify_email: string | null;
    /** The first undecided report that says the same. */
    duplicate_of: string | null;
    state: ReportState;
    created_at: number;
    decided_at: number | null;
    decided_by: string | null;
    reason: string | null;
    /** Superseded: the report whose correction settles this one, too. */
    settled_by: string | null;
  };
  overrides: {
    id: string;
    report_id: string;
    /** Set for one VIN; else `wmi` and `pattern` are. */
    vin: string | null;
    wmi: string | null;
    pattern: string | null;
    year_from: number | null;
    year_to: number | null;
    /** JSON: field path to value, null for a field to leave out. */
    fields: string;
    created_at: number;
    created_by: string;
    reverted_at: number | null;
    reverted_by: string | null;
    /** Place in the audit log of its last change: instances read on from the last one that they know. */
    changed_seq: number;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends CorrectionTables {}
}
