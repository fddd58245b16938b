import { type Selectable, sql, type Transaction } from 'kysely';

import { batchOf, inBatches } from '../kernel/db/batches.ts';
import type { Database, Schema } from '../kernel/db/index.ts';

type Why = Selectable<Schema['webhook_endpoints']>['disabled_why'];

/** Disables an endpoint; what waits for it is given up next: see `giveUpWaiting`. @returns whether it was enabled. */
export async function disableIn(
  transaction: Transaction<Schema>,
  endpointId: string,
  why: Why,
  atMs: number,
): Promise<boolean> {
  const changed = await transaction
    .updateTable('webhook_endpoints')
    .set({ disabled_at: atMs, disabled_why: why })
    .where('id', '=', endpointId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/**
 * Gives up the deliveries that wait for disabled endpoints, some at a time: there may be any number, and some that were
 * enqueued as their endpoint was disabled.
 *
 * @param endpointId that of one endpoint; others wait for the worker.
 */
export async function giveUpWaiting(database: Database, endpointId?: string): Promise<void> {
  const waiting = await database.kysely
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('disabled_at', 'is not', null)
    .where(
      sql<boolean>`EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND run_at IS NOT NULL)`,
    )
    .$if(endpointId !== undefined, (query) => query.where('id', '=', endpointId ?? ''))
    .execute();
  for (const { id } of waiting) await inBatches(() => giveUpSome(database, id));
}

async function giveUpSome(database: Database, endpointId: string): Promise<number> {
  return database.kysely.transaction().execute(async (transaction) => {
    const endpoint = transaction.selectFrom('webhook_endpoints').select('id').where('id', '=', endpointId);
    // It may have been enabled since, and the outcomes of a batch may be stored at the same time.
    const isDisabled = await endpoint.where('disabled_at', 'is not', null).forNoKeyUpdate().executeTakeFirst();
    if (isDisabled === undefined) return 0;
    const where = sql<boolean>`endpoint_id = ${endpointId} AND run_at IS NOT NULL`;
    const given = await transaction
      .updateTable('webhook_deliveries')
      .set({ state: 'failed', run_at: null, last_error: 'endpoint disabled' })
      .where(batchOf(database, { table: 'webhook_deliveries', key: ['event_id', 'endpoint_id'], where }))
      .executeTakeFirst();
    return Number(given.numUpdatedRows);
  });
}
