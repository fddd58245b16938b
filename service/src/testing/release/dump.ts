import { escapeLiteral } from 'pg';

import { definition } from '../../database.ts';
import { tablesOf } from '../../kernel/db/backup/format.ts';
import type { PostgresDatabase } from '../../kernel/db/index.ts';

/**
 * Returns a PostgreSQL database as SQL. `pg_dump` is not everywhere, and refuses a newer server: these are the
 * statements that made the tables, the partitions that were added since, and the rows.
 */
export async function dumpPostgres(database: PostgresDatabase): Promise<string> {
  const { pool } = database;
  const { migrations, routines } = await definition();
  const partitions = await pool.query<{ name: string; bound: string }>(
    `SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound FROM pg_class
     WHERE relispartition AND relkind = 'r' AND relname <> 'decodes_default' ORDER BY relname`,
  );
  const parts = [
    'CREATE TABLE schema_versions (version integer PRIMARY KEY, name text NOT NULL, ' +
      'fingerprint text NOT NULL, program text NOT NULL, applied_at bigint NOT NULL);',
    ...migrations.map(({ postgres }) => postgres),
    ...routines,
    ...partitions.rows.map(({ name, bound }) => `CREATE TABLE ${name} PARTITION OF decodes ${bound};`),
    'DELETE FROM audit_head;',
    // Rows come by the names of their tables; those that they refer to may come later.
    'SET session_replication_role = replica;',
  ];
  for (const table of ['schema_versions', ...(await tablesOf(database))]) {
    const { rows, fields } = await pool.query<unknown[]>({ text: `SELECT * FROM ${table}`, rowMode: 'array' });
    const columns = fields.map(({ name }) => name).join(', ');
    for (const row of rows) parts.push(`INSERT INTO ${table} (${columns}) VALUES (${row.map(literal).join(', ')});`);
  }
  parts.push('RESET session_replication_role;');
  return `${parts.join('\n')}\n`;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  if (typeof value === 'string') return escapeLiteral(value);
  throw new TypeError(`A dump has no place for a value of type ${typeof value}.`);
}
