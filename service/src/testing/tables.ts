import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';

const POSTGRES = sql`
  SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', data_type, is_nullable, column_default, collation_name) AS text
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
  UNION ALL SELECT 'routine', oid::regprocedure::text, pg_get_functiondef(oid)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
  UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY 1, 2`;

const SQLITE = sql`SELECT type AS kind, name, sql AS text FROM sqlite_master ORDER BY type, name`;

/** A month's partition of stored decodes: which of them there are depends on the day. */
const OF_A_MONTH = /\bdecodes_\d{4}_\d{2}/;

/** Everything that the tables of a database consist of, one text each: what two of the same program have alike. */
export async function tablesAndRoutines({ engine, kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ kind: string; name: string; text: string | null }>`
    ${engine === 'sqlite' ? SQLITE : POSTGRES}`.execute(kysely);
  return rows
    .map(({ kind, name, text }) => `${kind} ${name}: ${(text ?? '').replaceAll(/\s+/g, ' ')}`)
    .filter((line) => !OF_A_MONTH.test(line));
}
