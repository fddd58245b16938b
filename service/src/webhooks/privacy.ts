import { parsed, type SlicePrivacy } from '../kernel/privacy.ts';
import { listEndpoints } from './endpoints.ts';

export const privacy: SlicePrivacy = {
  /** Endpoints come without their secrets. */
  records: async function* records(database, subject) {
    const deliveries = database.kysely.selectFrom('webhook_deliveries').selectAll();
    if (subject.kind === 'vin') {
      for (const row of await deliveries.where('vin', '=', subject.vin).execute()) {
        yield { kind: 'webhook_delivery', ...row, data: parsed(row.data) };
      }
      return;
    }
    for (const endpoint of await listEndpoints(database, subject.id)) {
      yield { kind: 'webhook_endpoint', ...endpoint };
      for (const row of await deliveries.where('endpoint_id', '=', endpoint.id).orderBy('event_id').execute()) {
        yield { kind: 'webhook_delivery', ...row, data: parsed(row.data) };
      }
    }
  },
  erasure: async ({ database }, subject) => {
    if (subject.kind === 'workspace') {
      // Closing the workspace deletes them.
      const endpoints = await listEndpoints(database, subject.id);
      return { erase: async () => ({ webhooks: endpoints.length }) };
    }
    return {
      erase: async ({ transaction }) => {
        const deleted = transaction.deleteFrom('webhook_deliveries').where('vin', '=', subject.vin);
        return { deliveries: Number((await deleted.executeTakeFirst()).numDeletedRows) };
      },
    };
  },
};
