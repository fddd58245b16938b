import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import { pagesOf } from '../files/file-pages.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { withLongTimeout } from '../kernel/db/long-timeout.ts';
import { maskVin, maskVinIn } from '../kernel/mask-vin.ts';

/** Small enough that concurrent charges wait only a few milliseconds. */
const ROWS_A_TRANSACTION = 200;

/** Masked rows end so. */
const MASKED = '%*';

/**
 * Removes VINs and reports from stored decodes. The rows stay: the ledger's sums are compared with their number. A
 * request that is repeated with its Idempotency-Key gets the masked report.
 *
 * @returns how many were changed.
 */
export async function eraseDecodes(
  database: Database,
  which: { column: 'vin' | 'subject'; value: string },
): Promise<number> {
  let all = 0;
  for (;;) {
    const rows = await withLongTimeout(database, (kysely) =>
      kysely
        .selectFrom('decodes')
        .select(['id', 'vin'])
        .where(which.column, '=', which.value)
        .where('vin', 'not like', MASKED)
        .limit(ROWS_A_TRANSACTION)
        .execute(),
    );
    if (rows.length === 0) return all;
    await database.kysely.transaction().execute(async (transaction) => {
      for (const { id, vin } of rows) {
        const masked = maskVin(vin);
        const report = JSON.stringify({ vin: masked });
        await transaction.updateTable('decodes').set({ vin: masked, report }).where('id', '=', id).execute();
      }
    });
    all += rows.length;
    await nextTurn();
  }
}

/** Masks a VIN in all uploaded files. @returns how many files contained it. */
export async function eraseFromFiles(database: Database, vin: string): Promise<number> {
  const { kysely } = database;
  const files = await kysely.selectFrom('vin_files').select(['id', 'header']).execute();
  const masked = (row: readonly string[]): string => JSON.stringify(row.map((cell) => maskVinIn(cell, vin)));
  let changed = 0;
  for (const { id, header } of files) {
    const names: string[] = JSON.parse(header ?? '[]');
    const hadInHeader = header !== null && masked(names) !== header;
    if (hadInHeader)
      await kysely
        .updateTable('vin_files')
        .set({ header: masked(names) })
        .where('id', '=', id)
        .execute();
    let hadInRows = false;
    // Page by page: a file may have megabytes.
    for await (const { from, rows } of pagesOf(database, id)) {
      const after = `[${rows.map(masked).join(',')}]`;
      if (after === JSON.stringify(rows)) continue;
      hadInRows = true;
      const page = kysely.updateTable('vin_file_pages').where('file_id', '=', id).where('first_row', '=', from);
      await page.set({ rows: after }).execute();
    }
    if (hadInHeader || hadInRows) changed += 1;
  }
  return changed;
}

/** Deletes messages that wait to be sent and hold one of the texts: an address or a VIN. @returns how many. */
export async function deleteMessages(transaction: Transaction<Schema>, texts: readonly string[]): Promise<number> {
  const messages = await transaction.selectFrom('mail_outbox').select(['id', 'mail']).execute();
  const ids = messages.filter(({ mail }) => texts.some((text) => mail.includes(text))).map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('mail_outbox').where('id', 'in', ids).execute();
  return ids.length;
}

/** Whose reports. */
interface WhichReports {
  column: 'vin' | 'subject';
  value: string;
}

/**
 * Removes the VIN and all text that people wrote from reports. Decisions stay; queued reports are closed, since nobody
 * could review them any more.
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
