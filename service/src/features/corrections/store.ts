import type { IdempotentCharge } from '../usage/index.ts';
import type {
  Candidate,
  Claim,
  Impact,
  Invalid,
  NotPossible,
  Override,
  ReportSource,
  ReportState,
  ReportSummary,
  Review,
  UnknownReport,
} from './types.ts';

/** Who reports: somebody of a workspace (with the key, where one was used), or a public client. */
export type Reporter =
  | { kind: 'workspace'; workspaceId: string; keyId: string | null }
  | { kind: 'public'; clientId: string };

/** No more reports of one reporter are taken until some are decided. */
export interface QueueFull {
  kind: 'full';
  most: number;
}

/** A report as it comes in; the shape of the claim has been checked. */
interface Submission {
  reporter: Reporter;
  source: ReportSource;
  claim: Claim;
  /** What the client says that it got; null: it did not say. */
  actualReport: Readonly<Record<string, unknown>> | null;
  /** The address that is notified when it is decided. */
  notifyEmail?: string;
  /** Its record of the report's id is stored with the report, so that a retry does not make another one. */
  idempotency?: { scope: string; recordOf: (id: string) => IdempotentCharge };
}

/** Which page of a list. Newest first for own reports, oldest first for the queue. */
interface Page {
  /** At most this many, up to 200; default 50. */
  limit?: number;
  /** Id of the last one of the page before. */
  after?: string;
}

/** What a list asks for. */
export interface ReportQuery extends Page {
  state?: ReportState;
  /** Text in the VIN. */
  vin?: string;
  /** Text in the address of who decided. */
  decidedBy?: string | undefined;
  /** Text in the name of the workspace that reported; "public" also finds reports without an account. */
  reporter?: string | undefined;
  /** Sent from this moment on, and before that one. */
  fromMs?: number;
  untilMs?: number;
  /** With reports that say the same as an earlier undecided one; else these are only counted. */
  withDuplicates?: boolean;
}

/** Who decides, and why. */
export interface Decision {
  /** `admin:EMAIL`, `cli:USER`. */
  by: string;
  /** For the reporter, up to 2000 characters; optional when the report is accepted. */
  reason: string;
}

/** What became of an acceptance. */
export type AcceptOutcome = { kind: 'accepted'; override: Override } | Invalid | NotPossible | UnknownReport;

/** What became of another decision. */
export type DecideOutcome = { kind: 'decided' } | Invalid | NotPossible | UnknownReport;

/**
 * Reports of wrong decodes and what becomes of them: for the API, the pages and the command line. Every decision is in
 * the audit log, in the same transaction. Nothing here knows HTTP.
 */
export interface Corrections {
  /**
   * Stores a report beside what is answered at this moment. `conflict`: its idempotency key was used meanwhile. `full`:
   * so many reports of the same reporter wait for review already.
   */
  submit(submission: Submission): Promise<{ kind: 'saved'; id: string } | { kind: 'conflict' } | QueueFull>;

  /** Reports for review: those that say the same counted as one. Queued ones oldest first, others newest first. */
  list(query?: ReportQuery): Promise<ReportSummary[]>;

  /** How many reports are queued, those that say the same counted as one. */
  countQueued(): Promise<number>;

  /** All that is needed to decide on a report; undefined: there is none. */
  review(id: string): Promise<Review | undefined>;

  /** What a candidate would change for labelled VINs, recent decodes and the VIN of a report. Changes nothing. */
  preview(candidate: Candidate, reportId?: string): Promise<{ kind: 'impact'; impact: Impact } | Invalid>;

  /**
   * Accepts a report: makes an override, live on this instance when the promise resolves and on the others within two
   * seconds. Reports that say the same are accepted with it; queued ones that it makes right are superseded.
   */
  accept(id: string, candidate: Candidate, decision: Decision): Promise<AcceptOutcome>;

  /** Rejects a report and those that say the same. */
  reject(id: string, decision: Decision): Promise<DecideOutcome>;

  /** Closes a queued report because another one settles it. `unknown`: there is no report of one of the two ids. */
  supersede(id: string, settledBy: string, decision: Decision): Promise<DecideOutcome>;

  /** Takes an accepted report's override back: answers are again what they were without it. */
  revert(id: string, decision: Decision): Promise<DecideOutcome>;

  /** A workspace's own reports with their states, newest first. */
  ownReports(workspaceId: string, page?: Page): Promise<ReportSummary[]>;

  /** Overrides, newest first; by default only those in force. */
  overrides(query?: Page & { withReverted?: boolean }): Promise<Override[]>;
}
