import type { PoolClient } from 'pg';

import type { Migration } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { DatabaseLocation, PostgresDatabase, SqliteDatabase } from '../open.ts';
import { openPostgres } from '../postgres.ts';
import { UnusableDatabaseError } from '../refusal.ts';
import { openSqlite } from '../sqlite.ts';
import type { BackupSummary } from './backup.ts';
import { readLines, type Line, type Value } from './format.ts';
import { postgresTables, quoted, SEEDED_TABLES, sqliteTables } from './tables.ts';

/** PostgreSQL takes 65,535 values in one statement. */
const VALUES_A_STATEMENT = 30_000;

/** Rows hold whole uploads: only some of those are in memory at once. Characters. */
const CHARS_A_STATEMENT = 8_000_000;

/** Puts rows of one table into a database. */
type Insert = (table: string, columns: readonly string[], rows: Value[][]) => Promise<void>;

/**
 * Restores a backup into a database that holds nothing yet, whatever engine it came from, all or nothing.
 *
 * @param known the migrations of this program.
 * @throws UnusableDatabaseError when the file is no whole backup or newer than the program, when the database holds anything,
 *   or when a service is using it (SQLite).
 */
export async function restoreDatabase(
  location: DatabaseLocation,
  file: string,
  known: readonly Migration[] = migrations,
): Promise<BackupSummary> {
  const steps = known.slice(0, await versionOf(file, known.length));
  const summary =
    location.databaseUrl === undefined
      ? await restoreSqlite(await openSqlite(location.dataDir, 'service', steps), file)
      : await restorePostgres(await openPostgres(location.databaseUrl, steps), file);
  // Opened once more, the database is brought from the backup's version to the program's.
  const current =
    location.databaseUrl === undefined
      ? await openSqlite(location.dataDir, 'service', known)
      : await openPostgres(location.databaseUrl, known);
  await current.close();
  return summary;
}

/** Reads the backup to its end, so that a broken one is found before anything is touched. */
async function versionOf(file: string, newest: number): Promise<number> {
  let version: number | undefined;
  for await (const line of readLines(file)) {
    if (line.kind === 'header') version = line.version;
  }
  if (version === undefined) throw new UnusableDatabaseError(`${file} is not a backup of Marque.`);
  if (version > newest) {
    throw new UnusableDatabaseError(
      `${file} was written by a newer program (version ${version}): restore it with that one.`,
    );
  }
  return version;
}

async function restoreSqlite(database: SqliteDatabase, file: string): Promise<BackupSummary> {
  const { direct } = database;
  try {
    direct.exec('BEGIN IMMEDIATE');
    // Tables come by name, so a row may precede the one that it refers to: checked at the end.
    direct.pragma('defer_foreign_keys = ON');
    for (const table of sqliteTables(direct)) {
      if (SEEDED_TABLES.includes(table)) direct.exec(`DELETE FROM ${quoted(table)}`);
      refuseIfFilled(
        direct
          .prepare<[], number>(`SELECT count(*) FROM ${quoted(table)}`)
          .pluck()
          .get() ?? 0,
        table,
      );
    }
    const summary = await insertAll(file, async (table, columns, rows) => {
      const insert = direct.prepare(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) insert.run(...row);
    });
    direct.exec('COMMIT');
    return summary;
  } finally {
    if (direct.inTransaction) direct.exec('ROLLBACK');
    await database.close();
  }
}

async function restorePostgres(database: PostgresDatabase, file: string): Promise<BackupSummary> {
  const client = await database.longTimeout.pool.connect();
  try {
    await client.query('BEGIN');
    for (const table of await postgresTables(client)) {
      if (SEEDED_TABLES.includes(table)) await client.query(`DELETE FROM ${quoted(table)}`);
      const filled = await client.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(table)}`);
      refuseIfFilled(filled.rows[0]?.rows ?? 0, table);
    }
    const relax = await deferrableConstraints(client);
    await relax.begin();
    const summary = await insertAll(file, async (table, columns, rows) => {
      const places = rows.map(
        (row, at) => `(${row.map((_, column) => `$${at * row.length + column + 1}`).join(', ')})`,
      );
      const into = `${quoted(table)} (${columns.map(quoted).join(', ')})`;
      await client.query(`INSERT INTO ${into} VALUES ${places.join(', ')}`, rows.flat());
    });
    await relax.end();
    await client.query('COMMIT');
    return summary;
  } finally {
    // Destroyed, not given back: after a failure its transaction is rolled back with it.
    client.release(true);
    await database.close();
  }
}

/** Lets rows come before those that they refer to, until the end of the transaction. */
async function deferrableConstraints(
  client: PoolClient,
): Promise<{ begin: () => Promise<void>; end: () => Promise<void> }> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`,
  );
  const alter = async (how: string): Promise<void> => {
    for (const { table, name } of rows)
      await client.query(`ALTER TABLE ${table} ALTER CONSTRAINT ${quoted(name)} ${how}`);
  };
  return {
    begin: () => alter('DEFERRABLE INITIALLY DEFERRED'),
    end: async () => {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await alter('NOT DEFERRABLE');
    },
  };
}

async function insertAll(file: string, insert: Insert): Promise<BackupSummary> {
  const summary = { tables: 0, rows: 0 };
  let table: Extract<Line, { kind: 'table' }> | undefined;
  let rows: Value[][] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await insertOrRefuse(insert, table, rows);
    summary.rows += rows.length;
    rows = [];
    chars = 0;
  };
  for await (const line of readLines(file)) {
    if (line.kind === 'row') {
      rows.push(line.values);
      chars += charsOf(line.values);
      if (rows.length * line.values.length >= VALUES_A_STATEMENT || chars >= CHARS_A_STATEMENT) await flush();
      continue;
    }
    await flush();
    if (line.kind === 'table') {
      table = line;
      summary.tables += 1;
    }
  }
  return summary;
}

async function insertOrRefuse(
  insert: Insert,
  into: Extract<Line, { kind: 'table' }> | undefined,
  rows: Value[][],
): Promise<void> {
  if (into === undefined) throw new UnusableDatabaseError('The backup holds rows of no table: nothing was restored.');
  try {
    await insert(into.table, into.columns, rows);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabaseError(
      `Rows of the table ${into.table} cannot be restored: ${reason}. Nothing was restored.`,
      {
        cause: error,
      },
    );
  }
}

function charsOf(values: readonly Value[]): number {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars;
}

function refuseIfFilled(rows: number, table: string): void {
  if (rows === 0) return;
  throw new UnusableDatabaseError(`The database is not empty (${table}): a backup is restored into a new one only.`);
}
