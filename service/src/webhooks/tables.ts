import { LEASE_COLUMNS } from '../kernel/db/job-columns.ts';
import { bigint, integer, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';

/** The states of a delivery. `failed`: given up; it may be sent again by hand. */
const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The tables of webhooks. */
export const WEBHOOK_TABLES = {
  /** Addresses at which workspaces receive events: see `webhooks/`. */
  webhook_endpoints: table(
    {
      id: key().primary(),
      workspace_id: key().belongsTo('workspaces'),
      url: text(),
      /** The signing secret, sealed: see `secret.ts`. */
      secret: text(),
      /** Earlier ones, the newest first with a space between, which sign too until their time is over. */
      old_secret: text().nullable(),
      old_secret_until: bigint().nullable(),
      created_at: bigint(),
      disabled_at: bigint().nullable(),
      disabled_why: oneOf('person', 'gone', 'failing').nullable(),
      /** Failed batches since anything was delivered, and when the first of them was. */
      failures: integer(),
      failing_since: bigint().nullable(),
      ...LEASE_COLUMNS,
    },
    {
      checks: ['(disabled_at IS NULL) = (disabled_why IS NULL)', '(old_secret IS NULL) = (old_secret_until IS NULL)'],
      indexes: { webhook_endpoints_workspace: '(workspace_id)' },
    },
  ),
  /** Types of events that an endpoint receives. */
  webhook_subscriptions: table(
    { endpoint_id: key().belongsTo('webhook_endpoints'), event: key() },
    { primaryKey: ['endpoint_id', 'event'], withoutRowid: true },
  ),
  /** An event on its way to one endpoint. */
  webhook_deliveries: table(
    {
      /** The same for all endpoints, and for every try. */
      event_id: key(),
      endpoint_id: key().belongsTo('webhook_endpoints'),
      type: text(),
      /** The VIN that it is about, for privacy's sake. */
      vin: key().nullable(),
      /** JSON: see `events.ts`. */
      data: text(),
      created_at: bigint(),
      state: oneOf(...DELIVERY_STATES),
      attempts: integer(),
      /** When the next attempt is; null: there is none. */
      run_at: bigint().nullable(),
      attempted_at: bigint().nullable(),
      /** HTTP status of the last attempt; null: there was no answer. */
      status: integer().nullable(),
      /** The reason for the last failure, in a word. */
      last_error: text().nullable(),
    },
    {
      primaryKey: ['event_id', 'endpoint_id'],
      checks: ["(state = 'pending') = (run_at IS NOT NULL)"],
      indexes: {
        webhook_deliveries_endpoint: '(endpoint_id, created_at)',
        webhook_deliveries_run: '(run_at) WHERE run_at IS NOT NULL',
        webhook_deliveries_waiting: '(endpoint_id, run_at) WHERE run_at IS NOT NULL',
        webhook_deliveries_age: '(created_at)',
        webhook_deliveries_vin: '(vin) WHERE vin IS NOT NULL',
      },
    },
  ),
};

export type WebhookTables = Rows<typeof WEBHOOK_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends WebhookTables {}
}
