export { enqueueEvent } from './enqueue.ts';
export { webhookReference } from './events.ts';
export { webhookBox } from './secret.ts';
export type { WebhookTables } from './tables.ts';
