import type { SlicePrivacy } from '../kernel/privacy.ts';
import { ENDED_STATUSES } from './subscriptions.ts';

export const privacy: SlicePrivacy = {
  records: async function* records({ kysely }, subject) {
    if (subject.kind === 'vin') return;
    const paid = kysely.selectFrom('workspace_billing').selectAll().where('workspace_id', '=', subject.id);
    for (const row of await paid.execute()) yield { kind: 'billing', ...row };
  },
  erasure: async (_deps, subject) => {
    if (subject.kind === 'vin') return {};
    return {
      erase: async ({ transaction }) => {
        const own = transaction.deleteFrom('workspace_billing').where('workspace_id', '=', subject.id);
        // Those that go on are ended first, within a minute: `endClosed`.
        await own.where('status', 'in', ENDED_STATUSES).execute();
        return {};
      },
    };
  },
};
