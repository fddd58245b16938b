import type { Migration } from '../../migrate.ts';
import { ACCOUNT_TABLES } from './accounts.ts';
import { CORRECTION_TABLES } from './corrections.ts';
import { ENRICHMENT_TABLES } from './enrichment.ts';
import { FILE_TABLES } from './files.ts';
import { SHARED_TABLES } from './shared.ts';
import { USAGE_TABLES } from './usage.ts';
import { WEBHOOK_TABLES } from './webhooks.ts';

/** What each type of a column is on SQLite, whose strict tables know three. better-auth writes times as ISO texts there. */
const SQLITE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/ text COLLATE "C"/g, ' TEXT'],
  [/ (?:text|timestamptz)\b/g, ' TEXT'],
  [/ (?:bigint|integer|boolean)\b/g, ' INTEGER'],
];

const ONLY_SQLITE = `
  CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
`;

/** Counters change at every charge: half-filled pages keep their new versions where the old ones are. */
const ONLY_POSTGRES = `
  CREATE TABLE decodes_default PARTITION OF decodes DEFAULT;
  ALTER TABLE usage_counters SET (fillfactor = 50);
  ALTER TABLE usage_ledger SET (fillfactor = 50);
  CREATE FUNCTION marque_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
  END
  $function$;
  CREATE TRIGGER audit_log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION marque_audit_refuse();
`;

/** Every table, in the terms of PostgreSQL, with `WITHOUT ROWID` for SQLite. A table comes after those that it refers to. */
const TABLES = [
  USAGE_TABLES,
  SHARED_TABLES,
  CORRECTION_TABLES,
  ENRICHMENT_TABLES,
  ACCOUNT_TABLES,
  FILE_TABLES,
  WEBHOOK_TABLES,
].join('');

/** Every table of the first version. */
export const start: Migration = {
  name: 'start',
  sqlite: sqliteTables(TABLES) + ONLY_SQLITE,
  postgres: postgresTables(TABLES) + ONLY_POSTGRES,
};

function sqliteTables(tables: string): string {
  const typed = SQLITE_TYPES.reduce((sql, [type, ofSqlite]) => sql.replace(type, ofSqlite), tables);
  return typed.replace(/(CREATE TABLE [^;]*\))( WITHOUT ROWID)?;/g, (_, table: string, clustered?: string) =>
    clustered === undefined ? `${table} STRICT;` : `${table} STRICT, WITHOUT ROWID;`,
  );
}

/** Ids of decodes are UUIDv7, so a range of ids is a range of time: looking one up touches one partition only. */
function postgresTables(tables: string): string {
  return tables
    .replaceAll(' WITHOUT ROWID', '')
    .replace(/(CREATE TABLE decodes [^;]*\));/, '$1 PARTITION BY RANGE (id);');
}
