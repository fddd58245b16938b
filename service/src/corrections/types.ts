import type { Explanation, VehicleReport } from '@marque/decoder';
import type { Static } from 'typebox';

import type { ActDeps, Actor, AuditEntry } from '../kernel/audit/index.ts';
import type { ReportSource, ReportState } from './tables.ts';
import type { IdempotentCharge } from '../metering/index.ts';
import type { OverrideFields } from './fields.ts';
import type { ReportDecodeIssueRequest } from './schemas.ts';

export type { FieldValue, OverrideFields } from './fields.ts';
export type { ReportSource, ReportState } from './tables.ts';

/** A reporter's claim about a VIN. Texts are as sent: escape them for display. */
export type Claim = Omit<Static<typeof ReportDecodeIssueRequest>, 'actualReport'>;

/** Every VIN of a WMI that fits a pattern. */
export interface PatternScope {
  kind: 'pattern';
  /** Three characters; six (positions 1-3 and 12-14) where the third is 9. */
  wmi: string;
  /**
   * The pattern from position 4 on: a character, `.` for any, `[A-C]` for a set. Shorter than the VIN leaves the rest
   * open. Empty: every VIN of the WMI.
   */
  pattern: string;
  /** First and last model year, as Marque answers it without overrides for patterns; null: open. */
  years: readonly [from: number | null, to: number | null];
}

/** The VINs that an override is for. */
export type Scope = { kind: 'vin'; vin: string } | PatternScope;

/** An override that might be made. */
export interface ProposedOverride {
  scope: Scope;
  fields: OverrideFields;
}

/** A stored override. */
export interface Override extends ProposedOverride {
  id: string;
  reportId: string;
  createdAtMs: number;
  createdBy: string;
  revertedAtMs: number | null;
  revertedBy: string | null;
}

/** A report in a list. */
export interface ReportSummary {
  id: string;
  claim: Claim;
  state: ReportState;
  source: ReportSource;
  /** Workspace that reported; null: a public client. */
  workspaceId: string | null;
  byTestKey: boolean;
  createdAtMs: number;
  decidedAtMs: number | null;
  /** The person who decided. Not shown to the reporter. */
  decidedBy: string | null;
  /** The reason that the reporter reads. */
  reason: string | null;
  /** The first undecided duplicate; null if this is it. */
  duplicateOf: string | null;
  /** The number of duplicates, which share its decision. */
  duplicates: number;
}

/** A report with all its details. */
export interface ReportDetail extends ReportSummary {
  /** The normalized VIN; null if the one sent is not a VIN: then nothing can be accepted. */
  vin: string | null;
  /** The answer that the client claims to have got; null: none was given. */
  actualReport: unknown;
  /** Marque's answer at that time, with its evidence; null if the VIN is invalid. */
  answered: Explanation | null;
  settledBy: string | null;
}

/** A stored report with the corrections since. */
export interface CorrectedReport {
  report: VehicleReport;
  /** Changes made by them; `was` undefined: the field was not answered. */
  changes: { field: string; was: string | undefined; atMs: number }[];
}

/** A field that a report calls wrong: the present answer, and the claim. */
export interface Contested {
  field: string;
  before: string | undefined;
  after: string;
}

/** One line of the comparison of claim and answer. */
export interface DiffLine {
  field: string;
  claimed: string | undefined;
  /** The value that the client claims to have got. */
  reported: string | undefined;
  answeredThen: string | undefined;
  answersNow: string | undefined;
  /** True if claim and answer agree; undefined if the field is not claimed. */
  agrees: boolean | undefined;
}

/** Everything an administrator needs for a decision. */
export interface Review {
  report: ReportDetail;
  /** Marque's present answer, including overrides, with the evidence for each field. */
  now: Explanation | null;
  diff: DiffLine[];
  /** The override that would make the claim true, for this VIN alone; null if the VIN is invalid. */
  suggestion: ProposedOverride | null;
  /** The scope for every VIN with the same vehicle descriptor; null if the VIN is invalid. */
  suggestedPattern: PatternScope | null;
  /** The number of recently decoded VINs that the pattern covers. */
  patternCovers: number;
  /** Reports on the same VIN or the same positions 1-8, newest first. */
  similar: ReportSummary[];
  /** Recent decodes of the same positions 1-8, newest first. */
  recent: { id: string; vin: string; createdAtMs: number; report: VehicleReport }[];
  /** Overrides that this report led to. */
  overrides: Override[];
  /** The actions on the report, newest first. */
  history: AuditEntry[];
}

/** The change that one override makes in one field of a VIN. */
export interface FieldChange {
  field: string;
  before: string | undefined;
  after: string | undefined;
  /** The label's value, where the VIN is labeled and its label has the field. */
  labelled?: string;
}

/** The changes that one override makes in one VIN. */
export interface VinChange {
  vin: string;
  /** `reported`: the VIN of the report. `labelled`: its right answer is known. `stored`: it was decoded recently. */
  from: 'reported' | 'labelled' | 'stored';
  changes: FieldChange[];
}

/** The numbers of VINs of a kind that were checked, that the override covers, and that would change. */
export interface ImpactCount {
  looked: number;
  covered: number;
  changed: number;
}

/** The effect of an override. */
export interface Impact {
  /** The first ones; `labelled` and `stored` count them all. */
  vins: VinChange[];
  labelled: ImpactCount;
  stored: ImpactCount;
  /** The number of labeled VINs that are decoded correctly now and would be decoded incorrectly. */
  harmed: number;
}

/** The faults of a proposal or a reason, one sentence each. */
export interface Invalid {
  kind: 'invalid';
  faults: string[];
}

/** A decision is not possible in the report's present state. */
export interface NotPossible {
  kind: 'not-possible';
  state: ReportState;
}

/** There is no report with this id. */
export interface UnknownReport {
  kind: 'unknown';
}

/** The reporter: a workspace (with the key, if one was used), or a public client. */
export type Reporter =
  | { kind: 'workspace'; workspaceId: string; keyId: string | null }
  | { kind: 'public'; clientId: string };

/** The reporter has too many queued reports; no more are accepted until some are decided. */
export interface QueueFull {
  kind: 'full';
  queued: number;
  /** Whose reports they are: the reporter's, or those of everyone together. */
  whose: 'own' | 'all';
}

/** A submitted report; the shape of the claim has been checked. */
export interface Submission {
  reporter: Reporter;
  source: ReportSource;
  claim: Claim;
  /** The answer that the client claims to have got; null: none was given. */
  actualReport: Readonly<Record<string, unknown>> | null;
  /** The address that is notified when it is decided. */
  notifyEmail?: string;
  /** Stored with the report, so retries return it. */
  idempotency?: { scope: string; recordOf: (id: string) => IdempotentCharge };
}

/** A page of a list. Newest first for own reports, oldest first for the queue. */
export interface Page {
  /** The largest number of rows, up to 200; default 50. */
  limit?: number;
  /** Id of the last one on the previous page. */
  after?: string | undefined;
}

/** The filters of a list. */
export interface ReportQuery extends Page {
  state?: ReportState | undefined;
  /** Text in the VIN. */
  vin?: string | undefined;
  /** Text in the address of who decided. */
  decidedBy?: string | undefined;
  /** Text in the name of the workspace that reported; "public" also finds reports without an account. */
  reporter?: string | undefined;
  /** Sent from this time on, and before that one. */
  fromMs?: number;
  untilMs?: number;
}

/** The person who decides, and their reason. */
export interface Decision {
  by: Actor;
  /** Shown to the reporter, up to 2000 characters; optional when the report is accepted. */
  reason: string;
  /** Looks again, when it is the decision's turn, whether they may still decide. */
  recheck?: ActDeps['recheck'];
}

/** The outcome of an acceptance. */
export type AcceptOutcome = { kind: 'accepted'; override: Override } | Invalid | NotPossible | UnknownReport;

/** The outcome of another decision. */
export type DecideOutcome = { kind: 'decided' } | Invalid | NotPossible | UnknownReport;
