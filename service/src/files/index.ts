export { openFileThread, type FileThread } from './decode-vins.ts';
export { TransferLimits } from './transfer-limits.ts';
export type { FileTables } from './tables.ts';
