import type { Transaction } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import type { ReportState } from './tables.ts';
import { enqueueMail } from '../kernel/mail/index.ts';
import { claimOf, type ReportRow } from './rows.ts';

const DECISIONS: Readonly<Record<Exclude<ReportState, 'queued'>, string>> = {
  accepted: 'was accepted. The VIN is now decoded with the correction.',
  rejected: 'was not accepted.',
  superseded: 'was closed: another correction covers it.',
  reverted: 'was accepted earlier, but its correction has been reverted.',
};

/** Enqueues a message to each reporter who asked for the decision by mail. */
export async function notifyReporters(
  transaction: Transaction<Schema>,
  reports: readonly ReportRow[],
  state: Exclude<ReportState, 'queued'>,
  reason: string,
  atMs: number,
): Promise<void> {
  for (const { id, vin, claim, notify_email } of reports) {
    if (notify_email === null) continue;
    // The VIN that was read holds nothing that could bend a header; what was sent instead of one stays out of it.
    const about = vin === null ? 'a VIN' : `VIN ${vin}`;
    const { expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear } = claimOf(claim);
    const lines = [
      `Your report on ${about} ${DECISIONS[state]}`,
      ...(reason.trim() === '' ? [] : ['', reason]),
      '',
      `You expected: ${expectedManufacturer}, ${expectedModel}, ${expectedBodyStyle}, ${expectedModelYear}.`,
      `Report: ${id}`,
    ];
    const mail = { to: notify_email, subject: `Your report on ${about}: ${state}`, text: lines.join('\n') };
    await enqueueMail(transaction, mail, atMs);
  }
}
