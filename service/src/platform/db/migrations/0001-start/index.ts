import type { Migration } from '../../migrate.ts';
import { POSTGRES_TABLES } from './postgres.ts';
import { SQLITE_TABLES } from './sqlite.ts';

/** Every table of the first version. */
export const start: Migration = { name: 'start', sqlite: SQLITE_TABLES, postgres: POSTGRES_TABLES };
