import type { Kysely } from 'kysely';

import type { Database, Schema } from '../../kernel/db/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';
import { settle } from './finish.ts';

/** Ends the look-up of VINs whose deadline has passed and that no worker has claimed. */
export async function endOverdue(
  { kysely }: Database,
  nowMs: number,
  bounds: Pick<EnrichmentBounds, 'unansweredForMs'>,
): Promise<void> {
  const overdue = (on: Kysely<Schema>) =>
    on.selectFrom('enrichment_jobs').select('vin').where('deadline_at', '<=', nowMs).where('locked_until', '<=', nowMs);
  if ((await overdue(kysely).limit(1).executeTakeFirst()) === undefined) return;
  await kysely.transaction().execute(async (transaction) => {
    const vins = await overdue(transaction).limit(500).forUpdate().execute();
    const unknown = { source: null, answer: null };
    for (const { vin } of vins) await settle(transaction, vin, unknown, nowMs, bounds.unansweredForMs);
  });
}

/** Removes expired results and look-ups. */
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
