import type Sqlite from 'better-sqlite3';
import type { PoolClient } from 'pg';

/** The table that says which migrations ran: a restore makes it anew. */
const VERSIONS_TABLE = 'schema_versions';

/** Tables that a migration fills: a fresh database has rows there already, and a restore replaces them. */
export const SEEDED_TABLES: readonly string[] = ['audit_head'];

/** Every table that holds data, by name. */
export function sqliteTables(connection: Sqlite.Database): string[] {
  return connection
    .prepare<[string], string>(
      `SELECT name FROM sqlite_master
       WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ? ORDER BY name`,
    )
    .pluck()
    .all(VERSIONS_TABLE);
}

/** Every table that holds data, by name; a partitioned table includes its partitions. */
export async function postgresTables(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> $1
     ORDER BY relname`,
    [VERSIONS_TABLE],
  );
  return rows.map(({ name }) => name);
}

/** A name, quoted for a statement of either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
