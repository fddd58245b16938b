import type { Database } from '../../../platform/db/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import { notifyPending } from './pending.ts';

/** Ends the wait for VINs whose time is up and that no worker looks up. */
export async function endOverdue(
  { kysely }: Database,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'unansweredForMs'>,
): Promise<void> {
  const overdue = kysely
    .selectFrom('enrichment_jobs')
    .where('deadline_at', '<=', nowMs)
    .where('locked_until', '<=', nowMs);
  const first = await overdue.select('vin').limit(1).executeTakeFirst();
  if (first === undefined) return;
  const expiresAtMs = nowMs + bounds.unansweredForMs;
  await kysely.transaction().execute(async (transaction) => {
    const vins = await transaction
      .selectFrom('enrichment_jobs')
      .select('vin')
      .where('deadline_at', '<=', nowMs)
      .where('locked_until', '<=', nowMs)
      .limit(500)
      .forUpdate()
      .execute();
    if (vins.length === 0) return;
    const unknown = { source: null, answer: null, settled_at: nowMs, expires_at: expiresAtMs };
    await transaction
      .insertInto('enrichment_results')
      .values(vins.map(({ vin }) => ({ vin, ...unknown })))
      .onConflict((conflict) => conflict.column('vin').doUpdateSet(unknown))
      .execute();
    for (const { vin } of vins) await notifyPending(transaction, vin, 'nothing', nowMs);
    await transaction
      .deleteFrom('enrichment_jobs')
      .where(
        'vin',
        'in',
        vins.map(({ vin }) => vin),
      )
      .execute();
  });
}

/** Removes results and look-ups that are older than they may be. */
export async function prune(
  { kysely }: Database,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'lookupsForMs'>,
): Promise<void> {
  await kysely.deleteFrom('enrichment_results').where('expires_at', '<=', nowMs).execute();
  await kysely
    .deleteFrom('enrichment_lookups')
    .where('created_at', '<', nowMs - bounds.lookupsForMs)
    .execute();
}
