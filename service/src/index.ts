/** The tables of the database, as types. */
export type { AccountTables } from './people/index.ts';
export type { BillingTables } from './billing/index.ts';
export type { CatalogTables } from './catalog/index.ts';
export type { CorrectionTables } from './corrections/index.ts';
export type { EnrichmentTables } from './enrichment/index.ts';
export type { FileTables } from './files/index.ts';
export type { UsageTables } from './metering/index.ts';
export type { WebhookTables } from './webhooks/index.ts';
export type { WorkspaceTables } from './workspaces/index.ts';
