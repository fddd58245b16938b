import { setImmediate as nextTurn } from 'node:timers/promises';

import { sql, type Transaction } from 'kysely';

import type { Act } from '../kernel/audit/index.ts';
import type { Schema } from '../kernel/db/index.ts';
import { enqueueMail } from '../kernel/mail/index.ts';
import { fieldLabel } from '../report/index.ts';
import { isMember, workspaceIdOf, workspaceSubject } from '../workspaces/index.ts';
import { enqueueEvent } from '../webhooks/index.ts';
import type { CorrectionParts } from './parts.ts';
import { claimOf, type ReportRow } from './rows.ts';
import type { Decision, NotPossible, ReportState, UnknownReport } from './types.ts';

/** A reason is a few sentences. */
const MAX_REASON = 2_000;

/** Returns the faults of a reason. */
export function faultsInReason({ reason }: Decision, need: 'required' | 'optional'): string[] {
  if (need === 'required' && reason.trim() === '') return ['Give a reason: the reporter reads it.'];
  return reason.length > MAX_REASON ? [`The reason is longer than ${MAX_REASON} characters.`] : [];
}

/** A report to close, without its long texts: thousands may be closed at once. */
export type ReportToClose = Pick<ReportRow, (typeof TO_CLOSE)[number] | 'claim'>;
export const TO_CLOSE = ['id', 'vin', 'subject', 'notify_email'] as const;

/** Returns other undecided reports with the same claim. */
export async function duplicatesOf(transaction: Transaction<Schema>, report: ReportRow): Promise<ReportToClose[]> {
  const rows = await transaction
    .selectFrom('correction_reports')
    .select(TO_CLOSE)
    .where('claim_hash', '=', report.claim_hash)
    .where('state', '=', 'queued')
    .where('id', '<>', report.id)
    .orderBy('id')
    .execute();
  const { claim } = report;
  return rows.map((row) => Object.assign(row, { claim }));
}

/** Records a decision in the audit log. @returns its position there. */
export async function record(
  { appendEntry }: Act,
  report: Pick<ReportRow, 'id'>,
  what: 'accepted' | 'rejected' | 'superseded' | 'reverted',
  { reason }: Pick<Decision, 'reason'>,
  details: Readonly<Record<string, unknown>>,
): Promise<number> {
  return appendEntry({ action: `report.${what}`, subject: `report:${report.id}`, details: { reason, ...details } });
}

/** Reports that are closed in one turn of the event loop. */
const CLOSED_A_TURN = 50;

/** Sets the new state of reports, and notifies reporters who asked for it. */
export async function close(
  { transaction, atMs }: Act,
  { sendsMail }: Pick<CorrectionParts, 'sendsMail'>,
  reports: readonly ReportToClose[],
  settledBy: string,
  state: 'accepted' | 'rejected' | 'superseded' | 'reverted',
  { by, reason }: Decision,
): Promise<void> {
  const decided = { state, decided_at: atMs, decided_by: by, reason };
  for (const [place, { id, vin, subject }] of reports.entries()) {
    if (place % CLOSED_A_TURN === CLOSED_A_TURN - 1) await nextTurn();
    await transaction
      .updateTable('correction_reports')
      .set({ ...decided, settled_by: id === settledBy ? null : settledBy })
      .where('id', '=', id)
      .execute();
    const workspaceId = workspaceIdOf(subject);
    if (workspaceId === undefined) continue;
    const event = { type: 'report.decided', data: { reportId: id, vin, state, reason } } as const;
    await enqueueEvent(transaction, { workspaceId }, event, atMs);
  }
  if (sendsMail) await notifyReporters(transaction, reports, state, reason, atMs);
}

/** Reads a report and runs `work` if the report is in the required state. @returns its outcome. */
export async function settleIn<Outcome>(
  { transaction }: Act,
  id: string,
  needed: ReportState,
  work: (report: ReportRow) => Promise<Outcome>,
): Promise<Outcome | NotPossible | UnknownReport> {
  const report = await transaction.selectFrom('correction_reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (report === undefined) return { kind: 'unknown' };
  if (report.state !== needed) return { kind: 'not-possible', state: report.state };
  return work(report);
}

const DECISIONS: Readonly<Record<Exclude<ReportState, 'queued'>, string>> = {
  accepted: 'was accepted. The VIN is now decoded with the correction.',
  rejected: 'was not accepted.',
  superseded: 'was closed: another correction covers it.',
  reverted: 'was accepted earlier, but its correction has been reverted.',
};

/** Enqueues a message to each reporter with an address: reports from the portal have the person's own. */
async function notifyReporters(
  transaction: Transaction<Schema>,
  reports: readonly ReportToClose[],
  state: Exclude<ReportState, 'queued'>,
  reason: string,
  atMs: number,
): Promise<void> {
  for (const { id, vin, subject, claim, notify_email } of reports) {
    if (notify_email === null) continue;
    // Who has left a workspace does not hear of it any more.
    const workspaceId = workspaceIdOf(subject);
    if (workspaceId !== undefined && !(await isMember({ kysely: transaction }, workspaceId, notify_email))) continue;
    // A normalized VIN cannot inject a header; invalid input is left out of the subject.
    const about = vin === null ? 'a VIN' : `VIN ${vin}`;
    const { expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear, expectedFields } =
      claimOf(claim);
    const further = Object.entries(expectedFields ?? {}).map(([path, text]) => `, ${fieldLabel(path)}: ${text}`);
    const lines = [
      `Your report on ${about} ${DECISIONS[state]}`,
      ...(reason.trim() === '' ? [] : ['', reason]),
      '',
      `You expected: ${expectedManufacturer}, ${expectedModel}, ${expectedBodyStyle}, ${expectedModelYear}${further.join('')}.`,
      `Report: ${id}`,
    ];
    const mail = { to: notify_email, subject: `Your report on ${about}: ${state}`, text: lines.join('\n') };
    await enqueueMail(transaction, mail, atMs);
  }
}

/** Has decisions on reports of a person's workspaces mailed to the address that the account has now. */
export async function readdressReports(
  { transaction }: Pick<Act, 'transaction'>,
  from: string,
  to: string,
): Promise<void> {
  const subjects = transaction
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'user_id')
    .select(sql<string>`${workspaceSubject('')} || workspace_id`.as('subject'))
    .where('email', '=', to);
  await transaction
    .updateTable('correction_reports')
    .set({ notify_email: to })
    .where('subject', 'in', subjects)
    .where('notify_email', '=', from)
    .execute();
}
