export { openFileThread, type FileThread } from './decode-vins.ts';
export { Transfers } from './transfers.ts';
export type { FileTables } from './tables.ts';
