import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Database } from '../kernel/db/index.ts';
import { withLongTimeout } from '../kernel/db/long-timeout.ts';
import { maskVin } from '../kernel/mask-vin.ts';

/** Small enough that concurrent charges wait only a few milliseconds. */
const ROWS_A_TRANSACTION = 200;

/** Masked rows end so. */
const MASKED = '%*';

/**
 * Takes VINs and reports out of stored decodes. The rows stay: the ledger's sums are compared with their number. A
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
