import { sql } from 'kysely';

import type { Database } from '../open.ts';

/** The table that says which migrations ran: a restore creates it again. */
const VERSIONS_TABLE = 'schema_versions';

/** Tables that a migration fills: a fresh database has rows there already, and a restore replaces them. */
export const SEEDED_TABLES: readonly string[] = ['audit_head'];

const NAMES = {
  sqlite: sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgres: sql`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
};

/** Every table that holds data, by name; a partitioned table includes its partitions. */
export async function tablesOf({ engine, kysely }: Pick<Database, 'engine' | 'kysely'>): Promise<string[]> {
  const query = sql<{ name: string }>`SELECT name FROM (${NAMES[engine]}) AS names
    WHERE name <> ${VERSIONS_TABLE} ORDER BY name`;
  return (await query.execute(kysely)).rows.map(({ name }) => name);
}

/** A name, quoted for a statement of either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
