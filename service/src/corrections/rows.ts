import { createHash } from 'node:crypto';

import type { Explanation } from '@marque/decoder';
import type { Selectable } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import { workspaceIdOf } from '../workspaces/index.ts';
import { plainWords } from './suggest.ts';
import { furtherValue } from './fields.ts';
import { scopeOf } from './live-overrides.ts';
import { fieldsOf } from './override-index.ts';
import type { Claim, Override, ReportDetail, ReportSummary } from './types.ts';

/** A stored report. */
export type ReportRow = Selectable<Schema['correction_reports']>;

/** A stored override. */
type OverrideRow = Selectable<Schema['overrides']>;

/** The columns of a report that a list needs: not the long ones. */
export const SUMMARY_COLUMNS = [
  'id',
  'claim',
  'state',
  'source',
  'subject',
  'key_id',
  'created_at',
  'decided_at',
  'decided_by',
  'reason',
  'duplicate_of',
] as const satisfies readonly (keyof ReportRow)[];

/** Facts about a report that are in other rows. */
interface Beside {
  duplicates: number;
  /** The keys that are test keys. */
  testKeys: ReadonlySet<string>;
}

/** Returns a stored report as lists show it. */
export function summaryOf(
  row: Pick<ReportRow, (typeof SUMMARY_COLUMNS)[number]>,
  { duplicates, testKeys }: Beside,
): ReportSummary {
  return {
    id: row.id,
    claim: claimOf(row.claim),
    state: row.state,
    source: row.source,
    workspaceId: workspaceIdOf(row.subject) ?? null,
    byTestKey: row.key_id !== null && testKeys.has(row.key_id),
    createdAtMs: row.created_at,
    decidedAtMs: row.decided_at,
    decidedBy: row.decided_by,
    reason: row.reason,
    duplicateOf: row.duplicate_of,
    duplicates,
  };
}

/** Returns a stored report with all its details. */
export function detailOf(row: ReportRow, beside: Beside): ReportDetail {
  const actualReport: unknown = row.actual_report === null ? null : JSON.parse(row.actual_report);
  const answered: Explanation | null = row.answered === null ? null : JSON.parse(row.answered);
  return {
    ...summaryOf(row, beside),
    vin: row.vin,
    actualReport,
    answered,
    settledBy: row.settled_by,
  };
}

/** Returns a stored override. */
export function overrideOf(row: OverrideRow): Override {
  return {
    id: row.id,
    reportId: row.report_id,
    scope: scopeOf(row),
    fields: fieldsOf(row.fields),
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    revertedAtMs: row.reverted_at,
    revertedBy: row.reverted_by,
  };
}

/** Returns a stored claim. */
export function claimOf(json: string): Claim {
  const claim: Claim = JSON.parse(json);
  return claim;
}

/** Returns a hash that is equal for reports with the same claim for the same VIN, regardless of spelling and notes. */
export function claimHash(vin: string | undefined, claim: Claim): string {
  const { expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear } = claim;
  const said = [expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear].map(
    // A text of punctuation alone has no words: then the punctuation is compared.
    (text) => plainWords(text) || text.trim(),
  );
  const further = Object.entries(claim.expectedFields ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => [path, plainWords(String(furtherValue(path, text)))]);
  return createHash('sha256')
    .update(JSON.stringify([vin ?? claim.vin.trim(), ...said, ...further]))
    .digest('hex');
}
