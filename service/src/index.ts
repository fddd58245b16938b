/** The tables of the database, as types. */
export type { AccountTables } from './people/tables.ts';
export type { BillingTables } from './billing/tables.ts';
export type { CatalogTables } from './catalog/tables.ts';
export type { CorrectionTables } from './corrections/tables.ts';
export type { EnrichmentTables } from './enrichment/tables.ts';
export type { FileTables } from './files/tables.ts';
export type { UsageTables } from './metering/tables.ts';
export type { WebhookTables } from './webhooks/tables.ts';
export type { WorkspaceTables } from './workspaces/tables.ts';
