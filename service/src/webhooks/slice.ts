import type { SecretBox } from '../kernel/secret-box.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';
import type { DeliveryParts } from './delivery/worker.ts';

/** The dependencies of the pages of webhooks. */
export interface WebhookParts {
  box: SecretBox;
  /** Called when there is something to deliver. */
  webhooks: { wake: () => void };
}

/** Events for subscribers. */
export const webhooks: Slice<WebhookParts, Omit<DeliveryParts, 'allowPrivate' | 'sendsMail'> & { config: Config }> = {
  name: 'webhooks',
  tables: async () => (await import('./tables.ts')).WEBHOOK_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  pages: async (scope, deps) => (await import('./pages/webhooks.tsx')).addWebhooks(scope, deps),
  tabs: { portal: [{ path: '/webhooks', label: 'Webhooks', place: 32 }] },
  commands: {
    webhook: { summary: 'manage webhooks, and see what was delivered', load: () => import('./cli/webhook.ts') },
  },
  workers: async ({ config, ...deps }) => {
    const { deliveryWorker } = await import('./delivery/worker.ts');
    const { webhookAllowPrivate: allowPrivate, smtpUrl } = config;
    return { webhooks: deliveryWorker({ ...deps, allowPrivate, sendsMail: smtpUrl !== undefined }) };
  },
  queues: {
    // Deliveries to an endpoint that is paused after failures, or whose workspace is suspended, are not overdue.
    webhooks: `
      SELECT d.run_at, e.locked_until, d.attempts, d.last_error, CASE WHEN e.failures = 0 AND w.suspended_at IS NULL THEN 1 ELSE 0 END AS counts
      FROM webhook_deliveries AS d
      JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
      JOIN workspaces AS w ON w.id = e.workspace_id
      WHERE d.run_at IS NOT NULL`,
  },
  retention: async (database, { nowMs, decodeDays }) =>
    (await import('./deliveries.ts')).removeOldDeliveries(database, nowMs, decodeDays),
};
