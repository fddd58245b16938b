import { sql } from 'kysely';

import type { SqliteDatabase } from './open.ts';
import { isBusy, openConnection } from './sqlite-connection.ts';

// `secure_delete` overwrites what is deleted. But where SQLite moves rows from one page to another, because a page is
// full or nearly empty, copies of them stay between the list of the page's rows and the first of these (section 1.6 of
// SQLite's file format) until they are written over. They are of no row any more, so no statement reaches them.

/** A table or an index in the file. */
export interface Part {
  type: 'table' | 'index';
  name: string;
  /** Its table, which is itself for a table. */
  table: string;
  /** Bytes of the table with its indexes. */
  bytes: number;
}

/** Bytes of the file that are read at once: whole pages of any size. */
const CHUNK = 1_048_576;

/** Types of pages with rows, by their first byte, and the length of their headers. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

/** SQLite's own header at the beginning of the file, before that of the first page. */
const FILE_HEADER_BYTES = 100;

/** The longest wait for those who write. */
const BUSY_MS = 5_000;

/**
 * Returns the tables and indexes in whose unused space a text is. Reads the whole file, locks nothing. What is only in
 * the log is not seen.
 */
export async function partsWith(database: SqliteDatabase, isSought: (text: string) => boolean): Promise<Part[]> {
  const pages = [...pagesWith(database, isSought)];
  return pages.length === 0 ? [] : partsIn(database, pages);
}

function* pagesWith({ direct, storage }: SqliteDatabase, isSought: (text: string) => boolean): Generator<number> {
  const pageBytes = Number(direct.pragma('page_size', { simple: true }));
  const chunk = Buffer.alloc(CHUNK);
  for (let at = 0, length = CHUNK; length === CHUNK; at += length) {
    length = storage.read(chunk, at);
    for (let from = 0; from + pageBytes <= length; from += pageBytes) {
      const unused = unusedIn(chunk.subarray(from, from + pageBytes), at + from === 0 ? FILE_HEADER_BYTES : 0);
      if (unused.length > 0 && isSought(unused.toString())) yield (at + from) / pageBytes + 1;
    }
  }
}

/** Returns the unused space of a page. Its other gaps, of deleted rows, are overwritten when they come to be. */
function unusedIn(page: Buffer, header: number): Buffer {
  const headerBytes = HEADER_BYTES[page.readUInt8(header)];
  if (headerBytes === undefined) return page.subarray(0, 0);
  const from = header + headerBytes + 2 * page.readUInt16BE(header + 3);
  // Zero is 65,536, which does not fit.
  return page.subarray(from, page.readUInt16BE(header + 5) || page.length);
}

/** Returns the tables and indexes that have these pages; by default all tables. */
export async function partsIn({ kysely }: SqliteDatabase, pages?: readonly number[]): Promise<Part[]> {
  const isWanted =
    pages === undefined
      ? sql`part.type = 'table'`
      : sql`part.name IN (SELECT name FROM page WHERE pageno IN (SELECT value FROM json_each(${JSON.stringify(pages)})))`;
  const { rows } = await sql<Part>`
    WITH page AS MATERIALIZED (SELECT name, pageno, pgsize FROM dbstat)
    SELECT part.type, part.name, part.tbl_name AS "table",
      (SELECT sum(pgsize) FROM page JOIN sqlite_schema AS near USING (name) WHERE near.tbl_name = part.tbl_name) AS bytes
    FROM sqlite_schema AS part WHERE ${isWanted}`.execute(kysely);
  return rows;
}

/**
 * Writes a table or an index anew, with nothing in its unused space. Who writes meanwhile waits. The table's rows are in
 * memory.
 *
 * @returns false: others wrote all the time.
 */
export function rewrite({ file, storage }: SqliteDatabase, { type, name }: Part): boolean {
  const connection = openConnection(file, BUSY_MS);
  try {
    // A container may have no other folder to write to.
    connection.pragma('temp_store = MEMORY');
    // With them, rows of other tables would be deleted along.
    connection.pragma('foreign_keys = OFF');
    const anew =
      type === 'index'
        ? `REINDEX "${name}"`
        : `CREATE TEMP TABLE kept AS SELECT * FROM main."${name}"; DELETE FROM main."${name}"; ` +
          `INSERT INTO main."${name}" SELECT * FROM kept`;
    storage.guard(() => connection.transaction(() => connection.exec(anew)).immediate());
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    connection.close();
  }
}
