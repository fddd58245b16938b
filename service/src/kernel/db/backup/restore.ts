import { CompiledQuery, sql, type Transaction } from 'kysely';

import { type Definition, migrationsUpTo, versionAfter } from '../migrate.ts';
import { SERVICE_VERSION } from '../../version.ts';
import { withLongTimeout } from '../batches.ts';
import type { Database, DatabaseLocation } from '../open.ts';
import { openPostgres } from '../postgres.ts';
import { NewerDatabaseError, UnusableDatabaseError } from '../refusal.ts';
import { FIRST_VERSION } from '../table.ts';
import type { Schema } from '../schema.ts';
import { openSqlite } from '../sqlite.ts';
import type { BackupSummary } from './backup.ts';
import type { Conversions, Value } from '../conversion.ts';
import { monthOfId, monthStatements } from '../partitions.ts';
import { type Line, quoted, readLines, SEEDED_TABLES, tablesOf } from './format.ts';

/** SQLite takes 32,766 values in one statement, PostgreSQL 65,535. */
const VALUES_A_STATEMENT = 30_000;

/** The text of a statement, in characters: rows contain whole uploads, and only some of those are in memory at once. */
const CHARS_A_STATEMENT = 8_000_000;

/** The rows restored, and in sentences those that could not be. */
export interface RestoreSummary extends BackupSummary {
  leftOut: readonly string[];
  /** The moment that the database is as it was at. */
  createdAtMs: number;
}

type Inserted = Omit<RestoreSummary, 'createdAtMs'>;

/** Puts rows of one table into a database. */
type Insert = (table: string, columns: readonly string[], rows: Value[][]) => Promise<void>;

/**
 * Restores a backup into an empty database, from either engine, all or nothing.
 *
 * @throws UnusableDatabaseError when the file is not a complete backup or is newer than the program, when the database
 * is not empty, or when a service is using it (SQLite).
 */
export async function restoreDatabase(
  location: DatabaseLocation,
  file: string,
  definition: Definition,
): Promise<RestoreSummary> {
  const known = definition.migrations;
  const open = (migrations = known): Promise<Database> =>
    location.databaseUrl === undefined
      ? openSqlite(location.dataDir, 'service', migrations)
      : openPostgres(location.databaseUrl, { ...definition, migrations });
  const contents = await contentsOf(file, versionAfter(known));
  const database = await open(migrationsUpTo(known, Math.max(contents.version, FIRST_VERSION))).catch(refuseNewer);
  const summary = await restoreInto(database, file, contents, definition);
  // Opened once more, the database is brought from the backup's version to the program's.
  await (await open()).close();
  return { ...summary, createdAtMs: contents.createdAtMs };
}

/** The version of a backup, the time it was made, and the names of its tables. */
interface Contents {
  version: number;
  createdAtMs: number;
  tables: ReadonlySet<string>;
}

/**
 * Reads the backup to its end, so that a broken one is found before anything is touched. One from before the first
 * release goes into the tables of that, as far as they take it.
 */
async function contentsOf(file: string, newest: number): Promise<Contents> {
  let header: Omit<Contents, 'tables'> | undefined;
  const tables = new Set<string>();
  for await (const line of readLines(file)) {
    if (line.kind === 'header') header = line;
    if (line.kind === 'table') tables.add(line.table);
  }
  if (header === undefined) throw new UnusableDatabaseError(`${file} is not a backup of Marque.`);
  const { version, createdAtMs } = header;
  if (version > newest) {
    throw new UnusableDatabaseError(
      `${file} is a backup of a newer version of Marque than this one, ${SERVICE_VERSION}: restore it with that program.`,
    );
  }
  return { version, createdAtMs, tables };
}

/** Refuses a database that has the tables of a newer version than the backup. */
function refuseNewer(error: unknown): never {
  if (!(error instanceof NewerDatabaseError)) throw error;
  throw new UnusableDatabaseError(
    'The database is not empty (its tables are newer than the backup): a backup is restored into a new one only.',
    { cause: error },
  );
}

/** Restores into an empty database, and closes it. */
async function restoreInto(
  database: Database,
  file: string,
  contents: Contents,
  { conversions, monthlyTables }: Definition,
): Promise<Inserted> {
  const restore = async (transaction: Transaction<Schema>): Promise<Inserted> => {
    for (const table of await tablesOf({ engine: database.engine, kysely: transaction })) {
      refuseIfMissing(contents, table, file);
      if (SEEDED_TABLES.includes(table)) await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
      const filled = await sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.execute(transaction);
      refuseIfFilled(filled.rows[0]?.rows ?? 0, table);
    }
    const checkReferences = await deferReferences(database.engine, transaction);
    const addMonths = monthsOf(transaction, contents.createdAtMs);
    const summary = await insertAll(file, conversions, async (table, columns, rows) => {
      if (database.engine === 'postgres' && monthlyTables.includes(table)) await addMonths(table, columns, rows);
      const into = sql`${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`;
      const values = rows.map((row) => sql`(${sql.join(row)})`);
      await sql`INSERT INTO ${into} VALUES ${sql.join(values)}`.execute(transaction);
    });
    await checkReferences();
    return summary;
  };
  try {
    return await withLongTimeout(database, (kysely) => kysely.transaction().execute(restore));
  } catch (error) {
    if (!isOfReference(error)) throw error;
    throw new UnusableDatabaseError(
      `${file} is not a whole backup: a row refers to another that it does not have. Restore another one.`,
      { cause: error },
    );
  } finally {
    await database.close();
  }
}

/** Returns true if a row refers to one that does not exist. */
function isOfReference(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^(?:23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(String(error.code))) return true;
  return isOfReference(error.cause);
}

/**
 * Defers the checks of references. Tables come by name, so a row may precede the one that it refers to. @returns the
 * function that checks that each is there.
 */
async function deferReferences(
  engine: Database['engine'],
  transaction: Transaction<Schema>,
): Promise<() => Promise<void>> {
  if (engine === 'sqlite') {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(transaction);
    // By the end of the transaction.
    return async () => {};
  }
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`.execute(transaction);
  const alter = async (how: string): Promise<void> => {
    for (const { table, name } of rows)
      await sql.raw(`ALTER TABLE ${table} ALTER CONSTRAINT ${quoted(name)} ${how}`).execute(transaction);
  };
  await alter('DEFERRABLE INITIALLY DEFERRED');
  return async () => {
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(transaction);
    await alter('NOT DEFERRABLE');
  };
}

/**
 * Returns a function that creates the months that rows belong to before they come: in the default partition, each
 * new month would read them all, and they could only be deleted one by one.
 */
function monthsOf(transaction: Transaction<Schema>, nowMs: number): Insert {
  const created = new Set<string>();
  return async (table, columns, rows) => {
    const place = columns.indexOf('id');
    for (const startMs of new Set(rows.map((row) => monthOfId(String(row[place]), nowMs)))) {
      const month = `${table} ${startMs}`;
      if (startMs === undefined || created.has(month)) continue;
      created.add(month);
      await transaction.executeQuery(CompiledQuery.raw(monthStatements(table, startMs)));
    }
  };
}

async function insertAll(file: string, conversions: Conversions, insert: Insert): Promise<Inserted> {
  const summary = { tables: 0, rows: 0, leftOut: [] as string[] };
  let table: Extract<Line, { kind: 'table' }> | undefined;
  let rows: Value[][] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await insertConverted(insert, conversions, table, rows, (text) => summary.leftOut.push(text));
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

/** Inserts rows of a table, as they are or as its conversion makes them. */
async function insertConverted(
  insert: Insert,
  conversions: Conversions,
  from: Extract<Line, { kind: 'table' }> | undefined,
  rows: Value[][],
  leaveOut: (sentence: string) => void,
): Promise<void> {
  const convert = from && Object.hasOwn(conversions, from.table) ? conversions[from.table] : undefined;
  if (from === undefined || convert === undefined) return insertOrRefuse(insert, from, rows);
  for (const values of rows) {
    const named = Object.fromEntries(from.columns.map((column, place) => [column, values[place] ?? null]));
    for (const { table, row } of await convert(named, leaveOut)) {
      const into = { kind: 'table', table, columns: Object.keys(row) } as const;
      await insertOrRefuse(insert, into, [Object.values(row)]);
    }
  }
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
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
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

/** Refuses a backup without a table of its version. Programs before the first release added tables without a new one. */
function refuseIfMissing({ version, tables }: Contents, table: string, file: string): void {
  if (version <= FIRST_VERSION || tables.has(table)) return;
  throw new UnusableDatabaseError(
    `${file} is not a whole backup: the table ${table} is missing. Nothing was restored. Restore another one.`,
  );
}

function refuseIfFilled(rows: number, table: string): void {
  if (rows === 0) return;
  throw new UnusableDatabaseError(`The database is not empty (${table}): a backup is restored into a new one only.`);
}
