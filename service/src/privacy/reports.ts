import type { Transaction } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import { maskVin } from '../kernel/mask-vin.ts';

/** Whose reports. */
export interface WhichReports {
  column: 'vin' | 'subject';
  value: string;
}

/**
 * Takes what people wrote out of reports, and the VIN. What was decided on stays decided; what waits is closed, since
 * no one could review it any more.
 *
 * @returns the ids of the reports.
 */
export async function eraseReports(
  transaction: Transaction<Schema>,
  which: WhichReports,
  decided: { atMs: number; by: string },
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('correction_reports')
    .select(['id', 'vin', 'state'])
    .where(which.column, '=', which.value)
    .where('claim_hash', 'not like', 'erased:%')
    .execute();
  for (const { id, vin, state } of rows) {
    const blank = { expectedManufacturer: '', expectedModel: '', expectedBodyStyle: '', expectedModelYear: '' };
    const claim = { vin: vin === null ? '' : maskVin(vin), ...blank, note: '' };
    await transaction
      .updateTable('correction_reports')
      .set({
        vin: null,
        claim: JSON.stringify(claim),
        claim_hash: `erased:${id}`,
        actual_report: null,
        answered: null,
        notify_email: null,
        ...(state === 'queued'
          ? { state: 'rejected' as const, decided_at: decided.atMs, decided_by: decided.by, reason: 'Erased.' }
          : {}),
      })
      .where('id', '=', id)
      .execute();
  }
  return rows.map(({ id }) => id);
}
