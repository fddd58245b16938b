import type { Transaction } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import type { SlicePrivacy } from '../kernel/privacy.ts';
import { workspaceSubject } from '../workspaces/index.ts';

export const privacy: SlicePrivacy = {
  records: async function* records({ kysely }, subject) {
    if (subject.kind === 'vin') {
      const jobs = await kysely.selectFrom('enrichment_jobs').selectAll().where('vin', '=', subject.vin).execute();
      for (const { locked_by: _by, locked_until: _until, ...row } of jobs) yield { kind: 'enrichment_job', ...row };
      const results = kysely.selectFrom('enrichment_results').selectAll().where('vin', '=', subject.vin);
      for (const row of await results.execute()) yield { kind: 'enrichment_result', ...row };
    }
    const [column, value] =
      subject.kind === 'vin' ? (['vin', subject.vin] as const) : (['workspace_id', subject.id] as const);
    if (subject.kind === 'workspace') {
      const asks = kysely.selectFrom('enrichment_asks').selectAll().where('subject', '=', workspaceSubject(subject.id));
      for (const row of await asks.execute()) yield { kind: 'enrichment_asks', ...row };
    }
    const pending = kysely.selectFrom('enrichment_pending').selectAll().where(column, '=', value);
    for (const row of await pending.execute()) yield { kind: 'enrichment_pending', ...row };
  },
  erasure: async ({ database }, subject) => {
    if (subject.kind === 'workspace') {
      return {
        erase: async ({ transaction }) => {
          await removeFromQueue(transaction, subject.id);
          return {};
        },
      };
    }
    const { vin } = subject;
    return {
      // Before decodes are masked: a look-up that ends now stores nothing, and no decode follows from it.
      withdraw: async () => {
        await database.kysely.deleteFrom('enrichment_jobs').where('vin', '=', vin).execute();
        return { settledInMs: 0 };
      },
      erase: async ({ transaction }) => {
        const looked = await transaction.deleteFrom('enrichment_results').where('vin', '=', vin).executeTakeFirst();
        return { enrichment: Number(looked.numDeletedRows) };
      },
    };
  },
};

/** Removes a workspace from the queue. A VIN that others wait for, too, is theirs from then on. */
async function removeFromQueue(transaction: Transaction<Schema>, workspaceId: string): Promise<void> {
  const subject = workspaceSubject(workspaceId);
  await transaction.deleteFrom('enrichment_pending').where('workspace_id', '=', workspaceId).execute();
  const shared = await transaction
    .selectFrom('enrichment_jobs')
    .innerJoin('enrichment_pending', 'enrichment_pending.vin', 'enrichment_jobs.vin')
    .select(['enrichment_jobs.vin', 'workspace_id'])
    .where('subject', '=', subject)
    .execute();
  for (const { vin, workspace_id: other } of shared) {
    await transaction
      .updateTable('enrichment_jobs')
      .set({ subject: workspaceSubject(other) })
      .where('vin', '=', vin)
      .execute();
  }
  await transaction.deleteFrom('enrichment_jobs').where('subject', '=', subject).execute();
  await transaction.deleteFrom('enrichment_asks').where('subject', '=', subject).execute();
}
