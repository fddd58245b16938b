import type { Rows } from './table.ts';
import type { SHARED_TABLES } from './tables.ts';

/**
 * Every table, the same on SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1. Each slice adds its
 * own in its `tables.ts`.
 */
export interface Schema extends Rows<typeof SHARED_TABLES> {}

/**
 * The topics of which instances keep copies in memory, with the kind of copy. Each slice adds its own in its
 * `tables.ts`.
 */
export interface Topics {}
