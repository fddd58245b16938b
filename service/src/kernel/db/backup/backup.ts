import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { PoolClient } from 'pg';

import { DAY_MS } from '../../clock.ts';
import type { Value } from '../conversion.ts';
import { OperatorError } from '../../operator-error.ts';
import { openConnection } from '../sqlite-connection.ts';
import type { Database, PostgresDatabase, SqliteDatabase } from '../open.ts';
import { FORMAT, type Line, lineText, plainValue, quoted, tablesOf } from './format.ts';
import { guarded, NO_LIMITS } from '../postgres-pool.ts';
import { readSetting, writeSetting } from '../settings.ts';

const ROWS_A_PAGE = 500;

/** The contents of a backup. */
export interface BackupSummary {
  tables: number;
  rows: number;
}

/**
 * Writes a consistent copy of the whole database to a file while the service keeps running. The file
 * appears under its name only when it is whole and on disk.
 *
 * @throws OperatorError when something is at that name that a backup must not replace.
 */
export async function backupDatabase(database: Database, file: string, nowMs: number): Promise<BackupSummary> {
  await refuseToReplace(database, file);
  await removeRemains(file, nowMs);
  // A name of its own: another backup to the same file may be under way.
  const partial = `${file}.${randomUUID()}.partial`;
  // Only its owner may read it, from its first byte: it will contain hashes of keys and passwords.
  const created = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    throw writingRefusal(error, file);
  });
  const gzip = createGzip();
  const written = pipeline(gzip, created.createWriteStream());
  // Its fault is met by the next write, or by the end below.
  written.catch(() => {});
  const write = async (line: Line): Promise<void> => {
    // After a fault of the file it never drains.
    if (gzip.destroyed) await written;
    if (!gzip.write(lineText(line))) await once(gzip, 'drain');
  };
  const summary = { tables: 0, rows: 0 };
  try {
    const lines = database.engine === 'sqlite' ? sqliteLines(database, nowMs) : postgresLines(database, nowMs);
    for await (const line of lines) {
      if (line.kind === 'table') summary.tables += 1;
      if (line.kind === 'row') summary.rows += 1;
      await write(line);
    }
    await write({ kind: 'end', rows: summary.rows });
    gzip.end();
    await written;
    await syncFile(partial);
    await rename(partial, file);
    // Its name is in the folder. One that this user cannot read, or of a system without such syncs, is left to the system.
    await syncFile(dirname(file)).catch(() => {});
    return summary;
  } catch (error) {
    gzip.destroy();
    await written.catch(() => {});
    await rm(partial, { force: true });
    throw writingRefusal(error, file);
  }
}

/** Removes what backups to a file left behind that were killed: nobody has written to it for a day. */
async function removeRemains(file: string, nowMs: number): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${basename(file)}.`) || !REMAINS.test(name)) continue;
    // One that is under way gets its name meanwhile.
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < nowMs - DAY_MS) await rm(join(folder, name), { force: true });
  }
}

const REMAINS = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial$/;

/** Explains why a file cannot be written, in a sentence; else returns the error itself. */
function writingRefusal(error: unknown, file: string): unknown {
  const isOfFile = error instanceof Error && 'errno' in error && 'syscall' in error && 'code' in error;
  if (!isOfFile || !FILE_CALLS.has(String(error.syscall))) return error;
  const { code } = error;
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : 'name a file in a folder that this user can write to';
  return new OperatorError(`${file} cannot be written: ${reason} (${String(code)}).`, { cause: error });
}

/** Calls of the system that write a file; others are those of a database. */
const FILE_CALLS: ReadonlySet<string> = new Set([
  'open',
  'write',
  'writev',
  'fsync',
  'rename',
  'close',
  'lstat',
  'unlink',
  'rm',
]);

/** The files of a SQLite database. */
const OWN_FILES = ['', '-wal', '-shm'];

/** Refuses a folder, a device or a pipe, which root would replace by a file, and the files of the database itself. */
async function refuseToReplace(database: Database, file: string): Promise<void> {
  if (file === '-') throw new OperatorError('A backup is not written to standard output. Name a file.');
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isFile()) throw new OperatorError(`${file} is not a file. Name a file, which may exist or not.`);
  if (database.engine !== 'sqlite') return;
  for (const ending of OWN_FILES) {
    const own = await stat(database.file + ending).catch(() => undefined);
    if (own?.ino === found.ino && own.dev === found.dev)
      throw new OperatorError(`${file} is a file of the database itself. Name another one.`);
  }
}

const VERSION = 'SELECT max(version) AS version FROM schema_versions';

function headerOf(engine: Database['engine'], [row]: readonly { version: number }[], createdAtMs: number): Line {
  if (row === undefined) throw new Error('The database has no version.');
  return { kind: 'header', format: FORMAT, version: row.version, engine, createdAtMs };
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Yields the lines of a database. A read transaction on a separate connection sees one moment and blocks no writer. */
async function* sqliteLines(database: SqliteDatabase, nowMs: number): AsyncGenerator<Line> {
  const connection = openConnection(database.file, 0);
  try {
    connection.exec('BEGIN');
    // Its first reading sets the moment that all others see.
    yield headerOf('sqlite', connection.prepare<[], { version: number }>(VERSION).all(), nowMs);
    const tables = await tablesOf(database);
    for (const table of tables) {
      const rows = connection.prepare<[], unknown[]>(`SELECT * FROM ${quoted(table)}`).raw();
      yield { kind: 'table', table, columns: rows.columns().map(({ name }) => name) };
      for (const row of rows.iterate()) yield { kind: 'row', values: plainValues(row) };
    }
    connection.exec('COMMIT');
  } finally {
    connection.close();
  }
}

async function* postgresLines(database: PostgresDatabase, nowMs: number): AsyncGenerator<Line> {
  const client = await guarded(() => database.longTimeout.pool.connect());
  let isDone = false;
  try {
    const { tables, versions } = await beginReading(database, client);
    yield headerOf('postgres', versions, nowMs);
    for (const table of tables) {
      await client.query(`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT * FROM ${quoted(table)}`);
      let page = await client.query<unknown[]>({ text: `FETCH ${ROWS_A_PAGE} backup_rows`, rowMode: 'array' });
      yield { kind: 'table', table, columns: page.fields.map(({ name }) => name) };
      while (page.rows.length > 0) {
        for (const row of page.rows) yield { kind: 'row', values: plainValues(row) };
        page = await client.query<unknown[]>({ text: `FETCH ${ROWS_A_PAGE} backup_rows`, rowMode: 'array' });
      }
      await client.query('CLOSE backup_rows');
    }
    await client.query('COMMIT');
    isDone = true;
  } catch (error) {
    // Names what PostgreSQL reported.
    await guarded(() => Promise.reject(error));
  } finally {
    // The reader may leave early: when the disk is full, for instance.
    client.release(!isDone);
  }
}

/**
 * Begins a transaction that sees one moment, and in which no table gets other columns: a snapshot does not hide those.
 * @returns all tables, which are locked before that moment, and the version of then.
 */
async function beginReading(
  database: PostgresDatabase,
  client: PoolClient,
): Promise<{ tables: readonly string[]; versions: readonly { version: number }[] }> {
  for (;;) {
    const tables = await tablesOf(database);
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
      LOCK TABLE ${tables.map(quoted).join(', ')} IN ACCESS SHARE MODE; ${NO_LIMITS}`);
    // The first reading sets the moment: a migration may have made another table before it.
    const { rows: versions } = await client.query<{ version: number }>(VERSION);
    if ((await tablesOf(database)).length === tables.length) return { tables, versions };
    await client.query('ROLLBACK');
  }
}

function plainValues(row: readonly unknown[]): Value[] {
  return row.map(plainValue);
}

const NAME = 'last-backup-ms';

/** Notes in the database that a backup of it was written. */
export async function noteBackup({ kysely }: Pick<Database, 'kysely'>, atMs: number): Promise<void> {
  await writeSetting(kysely, NAME, String(atMs));
}

/**
 * Returns the time at which `marque db backup` last wrote a backup; undefined: never. Other ways to back up a database
 * leave no note.
 */
export async function lastBackupMs({ kysely }: Pick<Database, 'kysely'>): Promise<number | undefined> {
  const value = await readSetting(kysely, NAME);
  return value === undefined ? undefined : Number(value);
}
