import { BATCH_ROWS } from '../kernel/db/batches.ts';
import type { SlicePrivacy } from '../kernel/privacy.ts';
import { removeRequests } from './list.ts';

/** Requests name no vehicle. */
export const privacy: SlicePrivacy = {
  records: async function* records({ kysely }, subject) {
    if (subject.kind === 'vin') return;
    for (let after = ''; ;) {
      const rows = await kysely
        .selectFrom('requests')
        .selectAll()
        .where('workspace_id', '=', subject.id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH_ROWS)
        .execute();
      for (const row of rows) yield { kind: 'request', ...row };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  },
  erasure: async ({ database }, subject) => {
    if (subject.kind === 'vin') return {};
    return {
      // Some at a time: others' charges wait while they are removed.
      mask: async () => ({ requests: await removeRequests(database, subject.id) }),
      // Those that came meanwhile.
      erase: async ({ transaction }) => {
        const deleted = transaction.deleteFrom('requests').where('workspace_id', '=', subject.id);
        return { requests: Number((await deleted.executeTakeFirst()).numDeletedRows) };
      },
    };
  },
};
