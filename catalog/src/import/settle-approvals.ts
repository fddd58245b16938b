import { APPROVAL_FIELDS, type ApprovalField, type ApprovalRow } from '../approvals/columns.ts';
import type { Counted } from './tally.ts';

/** Fields that differ from car to car of one type: options change weights and outside dimensions. */
export const VARYING = [
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'curbKg',
  'grossKg',
] as const satisfies readonly ApprovalField[];

/** The rest, which makes the type. */
export const OF_TYPE = APPROVAL_FIELDS.filter(
  (name): name is Exclude<ApprovalField, (typeof VARYING)[number]> => !VARYING.some((varying) => varying === name),
);

/** The largest ratio of the values of one type for one of them to represent all. */
const SPREAD = 1.05;

/** Returns a counted type as a row, with those values that all of its vehicles have and that are near each other. */
export function settleApproval({ key, count, ranges }: Counted): ApprovalRow {
  const row = JSON.parse(key) as ApprovalRow;
  for (const [index, name] of VARYING.entries()) {
    const range = ranges[index];
    if (range !== undefined && range.said === count && range.high <= range.low * SPREAD) row[name] = range.low;
  }
  return row;
}
