export { Billing } from './billing.ts';
export type { BillingTables } from './tables.ts';
