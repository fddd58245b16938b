import type { LeaseColumns } from '../kernel/db/job-columns.ts';

/** The state of a delivery. `failed`: given up; it may be sent again by hand. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** The tables of webhooks. */
export interface WebhookTables {
  /** Where workspaces receive events: see `webhooks/`. */
  webhook_endpoints: LeaseColumns & {
    id: string;
    workspace_id: string;
    url: string;
    /** The signing secret, sealed: see `webhooks/secret.ts`. */
    secret: string;
    /** The one before, which signs too until its time is over. */
    old_secret: string | null;
    old_secret_until: number | null;
    created_at: number;
    disabled_at: number | null;
    disabled_why: 'person' | 'gone' | 'failing' | null;
    /** Failed batches since anything was delivered, and when the first of them was. */
    failures: number;
    failing_since: number | null;
  };
  /** Which types of events an endpoint receives. */
  webhook_subscriptions: {
    endpoint_id: string;
    event: string;
  };
  /** An event on its way to one endpoint. */
  webhook_deliveries: {
    /** The same for all endpoints, and for every try. */
    event_id: string;
    endpoint_id: string;
    type: string;
    /** The VIN that it is about, for privacy's sake. */
    vin: string | null;
    /** JSON: see `webhooks/events.ts`. */
    data: string;
    created_at: number;
    state: DeliveryState;
    attempts: number;
    /** When the next attempt is; null: there is none. */
    run_at: number | null;
    attempted_at: number | null;
    /** HTTP status of the last attempt; null: there was no answer. */
    status: number | null;
    /** Why the last attempt failed, in a word. */
    last_error: string | null;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends WebhookTables {}
}
