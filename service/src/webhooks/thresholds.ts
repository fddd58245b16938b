import type { Database } from '../kernel/db/index.ts';
import { enqueueEvent } from './enqueue.ts';

/** Consumes the outbox of charging: enqueues an event for each threshold that a workspace has reached. */
export async function enqueueThresholds({ kysely }: Database, nowMs: number): Promise<void> {
  // Reads without a lock: an idle instance must not block writers.
  const unhandled = kysely.selectFrom('usage_thresholds').select('reached_at').where('handled_at', 'is', null);
  if ((await unhandled.limit(1).executeTakeFirst()) === undefined) return;
  await kysely.transaction().execute(async (transaction) => {
    const reached = await transaction
      .updateTable('usage_thresholds')
      .set({ handled_at: nowMs })
      .where('handled_at', 'is', null)
      .returningAll()
      .execute();
    for (const row of reached) {
      const data = {
        percent: row.percent,
        limit: row.usage_limit,
        used: row.used,
        windowStart: new Date(row.window_start).toISOString(),
        resetAt: new Date(row.window_end).toISOString(),
      };
      const event = { type: 'usage.threshold', data } as const;
      await enqueueEvent(transaction, { workspaceId: row.workspace_id }, event, row.reached_at);
    }
  });
}
