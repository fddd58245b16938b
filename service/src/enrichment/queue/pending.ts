import type { Transaction } from 'kysely';

import type { Database, Schema } from '../../kernel/db/index.ts';
import { enqueueEvent } from '../../webhooks/index.ts';

/**
 * Records that a workspace waits for a VIN, to notify it when the look-up ends.
 *
 * @returns false: the VIN has its result already.
 */
export async function waitFor({ kysely }: Database, vin: string, workspaceId: string): Promise<boolean> {
  // Reads first: a client that polls need not write each time.
  const known = await kysely
    .selectFrom('enrichment_pending')
    .select('vin')
    .where('vin', '=', vin)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (known !== undefined) return true;
  return kysely.transaction().execute(async (transaction) => {
    // The end of the wait locks the VIN before it reads who waits: no one is added in between.
    const waiting = await transaction
      .selectFrom('enrichment_jobs')
      .select('vin')
      .where('vin', '=', vin)
      .forKeyShare()
      .executeTakeFirst();
    if (waiting === undefined) return false;
    await transaction
      .insertInto('enrichment_pending')
      .values({ vin, workspace_id: workspaceId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

/** Enqueues an event for every workspace that waits for a VIN. The VIN is locked. */
export async function notifyPending(
  transaction: Transaction<Schema>,
  vin: string,
  outcome: 'found' | 'nothing',
  atMs: number,
): Promise<void> {
  const pending = await transaction
    .selectFrom('enrichment_pending')
    .select('workspace_id')
    .where('vin', '=', vin)
    .orderBy('workspace_id')
    .execute();
  for (const { workspace_id: workspaceId } of pending) {
    const event = { type: 'enrichment.finished', data: { vin, outcome } } as const;
    await enqueueEvent(transaction, { workspaceId }, event, atMs);
  }
}
